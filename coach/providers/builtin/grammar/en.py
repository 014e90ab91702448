"""English."""

import re

from coach.providers.builtin.grammar.base import Grammar, TimeWords
from coach.providers.builtin.text import vocabulary, words

_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)"
)
_WEEKDAY = (
    r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tues?|wed|thurs?|thu|fri|sat|sun)"
)
_DAY = r"(?<![0-9][.,])[0-9]{1,2}(?:st|nd|rd|th)?"
_YEAR = r"(?:,? [0-9]{4})"
_COUNT = r"(?:[0-9]{1,3}|an?|one|two|three|four|five|six|seven)"
_TO = r" ?(?:to|and|until|till|through|-|–) ?(?:the )?"
_ASKED = r"(?:(?:can|could|would|will) you (?:please )?|i want to |i'd like to |let me |please )?"

TIME = TimeWords(
    clock=(
        words(r"(?:at |@ ?)?(?P<hour>[0-9]{1,2})[:h](?P<minute>[0-9]{2}) ?(?P<half_day>[ap])?(?:\.?m\.?)?"),
        words(r"(?:at |@ ?)?(?P<hour>[0-9]{1,2})(?:\.(?P<minute>[0-9]{2}))? ?(?P<half_day>[ap])\.?m\.?"),
        words(
            r"(?:at |@ ?)(?P<hour>[0-9]{1,2})(?: o'clock)?(?![.,]?[0-9]| ?"
            r"(?:%|\"|kg|kilo|lb|pound|st|cm|in))"
        ),
    ),
    noon=words(r"(?:at )?(?:noon|midday)"),
    early=words(r"(?:this|in the) morning"),
    late=words(r"(?:this|in the) (?:afternoon|evening)|tonight|at night"),
    days=(
        words(r"(?P<day>(?:the )?day before yesterday|yesterday|today|tomorrow)"),
        words(rf"(?P<day>{_COUNT} (?:days?|weeks?|months?|years?) ago)"),
        words(rf"(?P<day>{_DAY}(?: of)? {_MONTH}\.?{_YEAR}?)"),
        words(rf"(?P<day>{_MONTH}\.? (?:the )?{_DAY}(?![0-9]|[.,:][0-9]){_YEAR}?)"),
        words(rf"(?:last |past |this )?(?P<day>{_WEEKDAY})"),
        words(r"the (?P<of_month>[0-9]{1,2})(?:st|nd|rd|th)"),
    ),
    respelled={
        "the": "",
        "of": "",
        "a": "1",
        "an": "1",
        "one": "1",
        "two": "2",
        "three": "3",
        "four": "4",
        "five": "5",
        "six": "6",
        "seven": "7",
        "tues": "tuesday",
        "thurs": "thursday",
    },
    day_to_day=(
        words(rf"(?P<first>{_DAY}){_TO}(?P<last>{_DAY})(?: of)? (?P<month>{_MONTH})(?P<year>{_YEAR})?"),
        words(
            rf"(?P<month>{_MONTH}) "
            rf"(?:the )?(?P<first>{_DAY}){_TO}(?P<last>{_DAY})(?![0-9])(?P<year>{_YEAR})?"
        ),
    ),
    spans={
        "this_week": words(r"this week"),
        "previous_week": words(r"last week|the week before|previous week"),
        "this_month": words(r"this month"),
        "previous_month": words(r"last month|previous month"),
        "this_year": words(r"this year"),
        "previous_year": words(r"last year|previous year"),
        "back": words(
            r"(?:in |over )?(?:the )?(?:last|past) "
            rf"(?:(?P<count>{_COUNT}) )?(?P<unit>days?|weeks?|months?|years?)"
        ),
        "month": words(
            rf"(?:(?:in|during|for|of|throughout) (?P<month>{_MONTH})(?: "
            rf"(?:of )?(?P<year>[0-9]{{4}}))?|(?P<month_of>{_MONTH}) (?P<of_year>[0-9]{{4}}))"
        ),
        "year": words(r"(?:in|during|for|throughout) (?P<year>[0-9]{4})"),
    },
    between=words(r"between|from"),
    until=words(r"to|until|till|through|-|–"),
    since=words(r"since|starting"),
)

GRAMMAR = Grammar(
    language="en",
    date_language="en",
    day_first=False,
    decimal_mark=".",
    telling=vocabulary(
        """
        a about add afternoon ago am an and april are at august bone calf can change changed chest
        could day days december delete did do does don't enter erase evening fat february for from
        going have hello help hi hips how i i'm if in is it january july june last latest log
        march may me measurements month morning much muscle my neck no not note november october
        of on please pounds put read record remove replace save september show since sorry stone
        stones tell thank thanks that the there thigh this to today tonight track trend undo was
        waist water week weigh weighed weight what what's when which year yes yesterday you your
        """
    ),
    telling_letters=frozenset(),
    time=TIME,
    metrics={
        "visceral_fat": words(r"visceral(?: fat)?(?: rating| level)?"),
        "body_fat": words(r"body ?fat(?: percentage)?|fat(?: percentage| mass)?|bf"),
        "muscle": words(r"muscles?(?: mass)?"),
        "water": words(r"(?:body )?water"),
        "bone": words(r"bones?(?: mass)?"),
        "weight": words(r"body ?weight|weigh(?:t|ts|ed|s|ing)?"),
        "neck": words(r"neck"),
        "chest": words(r"chest|bust"),
        "waist": words(r"waist(?:line)?"),
        "hips": words(r"hips?"),
        "biceps": words(r"biceps?|upper arms?"),
        "thigh": words(r"thighs?"),
        "calf": words(r"calf|calves"),
        "height": words(r"height|tall"),
    },
    separator=words(r"and|with|plus"),
    note=re.compile(r"(?:(?:with|and) )?(?:the |a )?\bnotes? ?(?::|(?=\")) ?(?P<note>.+)", re.DOTALL),
    forbids=words(
        r"(?:(?:do|must|should|need|ca|wo)n'?t|not|never|without|no need) (?:you )?(?:want you )?"
        r"(?:to )?(?:ever )?(?:mak(?:e|ing) |do )?(?:any )?"
        r"(?:chang|modif|writ|sav|creat|touch|edit|delet|remov|eras|log|record|stor|add|updat"
        r"|replac|alter|correct|fix)(?:e|es|s|ing|y|ying|ify|ge|ging|ations?|ications?)?"
        r"|no (?:changes?|edits?|modifications?)|read[ -]only"
        r"|(?:only|just) (?:read|look|looking|reading)|(?:change|modify|save|write|touch) nothing"
        r"|nothing (?:may|must|should|is to) (?:be )?change\w*"
        r"|(?:leave|keep) (?:everything|all|it all|(?:my |the )?data) (?:as (?:it|they) "
        r"(?:is|are)|as is|unchanged|alone)"
    ),
    fallback=words(
        r"if (?:it|that|there|this|you|none|nothing|not|missing|no)(?: "
        r"(?:one|day|date|is|are|isn't|aren't|does|do|doesn't|don't|have|has|not|no|exists?"
        r"|missing|records?|recorded|entry|weight|data|nothing|anything|any|none|found|find|can't"
        r"|there|either))*|otherwise|or else|failing that"
    ),
    log=words(
        rf"{_ASKED}(?:log|(?<!the )(?<!my )(?<!a )record|save|add|note"
        r"(?: down)?|enter|register|track|write(?: down)?|put|set|store)"
    ),
    correct=words(
        rf"{_ASKED}(?:chang(?:e|ing)|correct(?:ion)?|fix|update|replace|amend)(?: (?:it|that))?"
        r"|(?:it|that) was not|\A\W*(?:no|(?:it|that) was)|actually|i meant?|sorry|oops"
        r"|(?:it |that )?should (?:be|have been)|make (?:it|that)|instead"
        r"|(?:that was |it was )?wrong|(?:my )?mistake|typo"
    ),
    rather=words(r"to|but|was(?! not)"),
    delete=words(
        rf"{_ASKED}(?:delete|remove|erase)(?: (?:it|that|this|what (?:you|i) just "
        r"(?:saved|logged|recorded)))?"
    ),
    read=words(r"show|what|how much|tell|read|check|look|give|see|did i|do i|have i|which|list"),
    trend=words(
        r"trends?|going|doing|lose|lost|losing|gain(?:ed|ing)?|progress(?:ing)?|evolution"
        r"|evolv(?:ed|ing)|how(?:'s| is| has| have)|average|mean|highest|lowest|maximum|minimum"
        r"|summary|summari[sz]e"
    ),
    latest=words(r"latest|last|current|most recent"),
    undo=words(r"undo"),
    help=words(
        r"help|what can (?:you|i) do|what do you do|what can i (?:say|ask)|who are you"
        r"|what are you|how do(?:es)? (?:you|this) work"
        r"|are you (?:an? |real|human|chatgpt|gpt|ai)[\w ]*"
    ),
    greeting=words(r"hi|hello|hey|good (?:morning|afternoon|evening)|how are you(?: doing)?|how's it going"),
    thanks=words(r"thanks?(?: you)?(?: (?:so|very) much)?|thx|cheers|great|perfect"),
    yes=words(r"yes|yeah|yep|yup|sure|ok(?:ay)?|do it|go ahead|replace (?:it|that)|replace|confirm(?:ed)?"),
    no=words(r"no|nope|nah|leave (?:it|that)(?: as it is)?|keep (?:it|that)|cancel|don't"),
    # Longer phrases first.
    filler=words(
        r"(?:before|after) (?:breakfast|lunch|dinner|training|work|waking up|(?:a|the|my) "
        r"(?:run|gym|shower|workout))|(?:on an )?empty stomach|'s|i'm|i've|it's|i|im|am|my|me|mine"
        r"|is|was|it|its|that|this|here|a|an|the|of|on|for|at|in|to|by|as|from|please|just|also"
        r"|now|get|got|came|comes?|day|measur(?:es?|ed|ing|ements?)|value|entry|reading|record"
        r"|scale|says?|said|body|fast(?:ed|ing)"
    ),
)
