"""Words of Django's and allauth's that our catalogues spell in their place.

Nothing imports this: extraction finds them here. Their own Spanish addresses the reader as "usted", ours
as "tú"; their Brazilian Portuguese has the short names of days with capitals, and "Sab" without its accent.
"""

from django.utils.translation import gettext_noop, ngettext_lazy

SHORT_DAYS = (
    gettext_noop("Mon"),
    gettext_noop("Tue"),
    gettext_noop("Wed"),
    gettext_noop("Thu"),
    gettext_noop("Fri"),
    gettext_noop("Sat"),
    gettext_noop("Sun"),
)

ACCOUNTS = (
    # Signing up.
    gettext_noop("Your password can’t be too similar to your other personal information."),
    ngettext_lazy(
        "Your password must contain at least %(min_length)d character.",
        "Your password must contain at least %(min_length)d characters.",
        "min_length",
    ),
    gettext_noop("Your password can’t be a commonly used password."),
    gettext_noop("Your password can’t be entirely numeric."),
    gettext_noop("You must type the same password each time."),
    gettext_noop("Username can not be used. Please use other username."),
    gettext_noop("Username"),
    # Signing in.
    gettext_noop("Remember Me"),
    gettext_noop("The username and/or password you specified are not correct."),
    gettext_noop("The email address and/or password you specified are not correct."),
    gettext_noop("Forgot your password?"),
    gettext_noop("Too many failed login attempts. Try again later."),
    gettext_noop("Be patient, you are sending too many requests."),
    # Confirming that it is you.
    gettext_noop("Confirm Access"),
    gettext_noop("Please reauthenticate to safeguard your account."),
    gettext_noop("Enter your password:"),
    gettext_noop("Use your password"),
    # Changing the password.
    gettext_noop("Please type your current password."),
    gettext_noop("Password successfully changed."),
    gettext_noop("Your password is now changed."),
    gettext_noop("Your password has been changed."),
    # A forgotten password.
    gettext_noop("Password Reset"),
    gettext_noop(
        "Forgotten your password? Enter your email address below, and we'll send you an email "
        "allowing you to reset it."
    ),
    gettext_noop("Reset My Password"),
    gettext_noop("Please contact us if you have any trouble resetting your password."),
    gettext_noop(
        "We have sent you an email. If you have not received it please check your spam folder. "
        "Otherwise contact us if you do not receive it in a few minutes."
    ),
    gettext_noop("Bad Token"),
    gettext_noop(
        "The password reset link was invalid, possibly because it has already been used.  Please "
        'request a <a href="%(passwd_reset_url)s">new password reset</a>.'
    ),
    gettext_noop(
        "You're receiving this email because you or someone else has requested a password reset for "
        "your user account.\n"
        "It can be safely ignored if you did not request a password reset. Click the link below to "
        "reset your password."
    ),
    gettext_noop("In case you forgot, your username is %(username)s."),
    gettext_noop("Your password has been reset."),
    gettext_noop(
        "You are receiving this email because you, or someone else, tried to access an account with "
        "email %(email)s. However, we do not have any record of such an account in our database."
    ),
    gettext_noop("If it was you, you can sign up for an account using the link below."),
    gettext_noop("This mail can be safely ignored if you did not initiate this action."),
    # Email addresses.
    gettext_noop("Email"),
    gettext_noop("The following email addresses are associated with your account:"),
    gettext_noop("You cannot remove your primary email address."),
    gettext_noop("You cannot remove your primary email address (%(email)s)."),
    gettext_noop("Your primary email address must be verified."),
    gettext_noop("You have confirmed %(email)s."),
    gettext_noop("You cannot add more than %d email addresses."),
    gettext_noop("Please Confirm Your Email Address"),
    gettext_noop(
        'Please confirm that <a href="mailto:%(email)s">%(email)s</a> is an email address for user '
        "%(user_display)s."
    ),
    gettext_noop(
        'This email confirmation link expired or is invalid. Please <a href="%(email_url)s">issue a '
        "new email confirmation request</a>."
    ),
)
