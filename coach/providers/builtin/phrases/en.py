"""English."""

from coach.providers.builtin.phrases.base import Phrasebook

_ABILITIES = """\
I can:
- save a value: “81.4 this morning at 7”, “waist 88 cm yesterday, note: after run”
- look up a day: “weight on 4 January”
- give the latest value, a span or the trend: “my weight last week”, “how is my weight going?”
- correct or delete: “no, it was 77.2”, “delete the weight of 3 January”

With “don't change anything” I only look."""

PHRASEBOOK = Phrasebook(
    decimal_mark=".",
    months=(
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ),
    metrics={
        "weight": "weight",
        "body_fat": "body fat",
        "muscle": "muscle",
        "water": "body water",
        "bone": "bone",
        "visceral_fat": "visceral fat",
        "neck": "neck",
        "chest": "chest",
        "waist": "waist",
        "hips": "hips",
        "biceps": "biceps",
        "thigh": "thigh",
        "calf": "calf",
        "height": "height",
    },
    saved_metrics={
        "weight": "a saved weight",
        "body_fat": "a saved body fat value",
        "muscle": "a saved muscle value",
        "water": "a saved body water value",
        "bone": "a saved bone value",
        "visceral_fat": "a saved visceral fat rating",
        "neck": "a saved neck measurement",
        "chest": "a saved chest measurement",
        "waist": "a saved waist measurement",
        "hips": "a saved hip measurement",
        "biceps": "a saved biceps measurement",
        "thigh": "a saved thigh measurement",
        "calf": "a saved calf measurement",
        "height": "a saved height",
    },
    phrases={
        "date": "{day} {month} {year}",
        "first_date": "{day} {month} {year}",
        "and": "{before} and {last}",
        "note": "(note: “{note}”)",
        "missing_day": "There is no record of {date}.",
        "missing_iso_day": "There is no record of {date}.",
        "missing_metric": "On {date} there are records, but none of {metric}.",
        "says_nothing": "That says nothing about other dates.",
        "found_one": "On {date} there is {saved_metric}: {value}.",
        "found_several": "On {date} there is: {values}.",
        "unread_day": "The records of {date} could not be read. That does not mean that there are none.",
        "unread": "The records could not be read. That does not mean that there are none.",
        "latest": "Your last {metric} is {value}, from {date}.",
        "none_lately": (
            "There is no record of {metric} in the last year. That says nothing about earlier dates."
        ),
        "none_in_span": (
            "There is no record of {metric} from {start} to {end}. That says nothing about other dates."
        ),
        "list_one": "From {start} to {end} there is one record of {metric}:",
        "list_many": "From {start} to {end} there are {count} records of {metric}:",
        "list_newest": "From {start} to {end} there are {count} records of {metric}. The most recent ones:",
        "list_item": "- {date}: {value}",
        "trend_one": "From {start} to {end} there is one record of {metric}: {value}, on {date}.",
        "trend": (
            "Your {metric} from {start} to {end}: first {first} ({first_date}), last {last} ({last_date})."
        ),
        "trend_change": "Change per week: {change}.",
        "trend_extremes": (
            "Lowest {lowest} ({lowest_date}), highest {highest} ({highest_date}), mean {mean}."
        ),
        "trend_days": "Records: {count}. Days without one: {missing}.",
        "created": "Saved for {date}: {values}.",
        "replaced": "Replaced for {date}: it is now {values}.",
        "unchanged": "Already saved for {date}: {values}. Nothing changed.",
        "standing": (
            "On {date} there is already: {values}. Nothing was changed. Shall I replace it? "
            "Answer “yes, replace it” or “no”."
        ),
        "standing_unread": (
            "Another value is already saved for {date}. Nothing was changed. Shall I replace "
            "it? Answer “yes, replace it” or “no”."
        ),
        "deleted": "Deleted: {values}, of {date}.",
        "done": "Done. What the program shows beside this is what happened.",
        "declined": "You declined, so I changed nothing.",
        "refused": "That was not accepted, and nothing was changed. {problems}",
        "failed": "That could not be done. I have not tried again.",
        "left_alone": "You asked me not to change anything, so I changed nothing.",
        "left_standing": "Fine, it stays as it is. I changed nothing.",
        "nothing_pending": "I have no open question for you. Tell me what to do, or ask for “help”.",
        "which_of": "On {date} there is: {values}. Tell me which one, with its name and its time.",
        "ask_value": "Which value? Write, for example, “81.4 kg this morning at 7”.",
        "ask_unit": (
            "In which unit? I have not saved anything. Write, for example, “weight 81.4 kg” or “12 st 7 lb”."
        ),
        "ask_metric": (
            "Which value is of which measurement? I changed nothing. Write, for example, "
            "“weight 81.4 kg, waist 88 cm”."
        ),
        "ask_day": (
            "Which record? I changed nothing. Name the measurement and the day: “weight of 3 January”."
        ),
        "one_day": "One day at a time, please. I changed nothing.",
        "one_thing": "One record at a time, please. I changed nothing.",
        "no_such_day": "The calendar has no such day. I changed nothing.",
        "unclear": (
            "I am not sure what you mean, so I changed nothing. Write, for example, “81.4 kg "
            "yesterday at 7, note: after run”."
        ),
        "unclear_words": (
            "I am not sure what to do with “{words}”, so I changed nothing. Write, for "
            "example, “81.4 kg yesterday at 7, note: after run”."
        ),
        "undo": "Use Undo on the receipt of the change. I cannot undo by myself.",
        "greeting": (
            "Hello. I am the built-in coach: a program with fixed rules, not a language "
            "model. Tell me a value or ask for one; “help” shows what I can do."
        ),
        "thanks": "You're welcome.",
        "help": (
            "I am the built-in coach: a program with fixed rules that works offline, not a "
            f"language model. {_ABILITIES}"
        ),
        "unknown": (
            "I did not understand that. I am the built-in coach: a program with fixed rules, "
            f"not a language model. {_ABILITIES}"
        ),
    },
)
