"""Spanish."""

import re

from coach.providers.builtin.grammar.base import Grammar, TimeWords
from coach.providers.builtin.text import vocabulary, words

_MONTH = (
    r"(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre"
    r"|ene|feb|mar|abr|may|jun|jul|ago|sept|sep|oct|nov|dic)"
)
_WEEKDAY = r"(?:lunes|martes|miercoles|jueves|viernes|sabado|domingo)"
_DAY = r"(?<![0-9][.,])(?:[0-9]{1,2}|primero|1o|1ro)"
_YEAR = r"(?:,? (?:de |del )?[0-9]{4})"
_COUNT = r"(?:[0-9]{1,3}|una?|dos|tres|cuatro|cinco|seis|siete)"
_TO = r" ?(?:al?|y|hasta|-|–) ?(?:el )?"
_ASKED = r"(?:quiero |quisiera |necesito |(?:me )?puedes |(?:me )?podrias |(?:me )?puede |por favor,? )?"

TIME = TimeWords(
    clock=(
        words(
            r"a las? (?P<hour>[0-9]{1,2})(?:[:.h] ?(?P<minute>[0-9]{2})| y "
            r"(?:(?P<half>media)|(?P<quarter>cuarto)))?(?: ?(?P<half_day>[ap])\.? ?m\.?)?(?: ?"
            r"(?:h|hs|hrs?|horas)\b)?"
        ),
        words(
            r"(?P<hour>[0-9]{1,2})[:h] ?(?P<minute>[0-9]{2})(?: ?(?P<half_day>[ap])\.? ?m\.?)?"
            r"(?: ?(?:h|hs|hrs?|horas)\b)?"
        ),
        words(r"(?P<hour>[0-9]{1,2}) ?(?P<half_day>[ap])\.? ?m\.?"),
        words(r"(?P<hour>[0-9]{1,2}) ?(?:h|hs|hrs)"),
    ),
    noon=words(r"al? medio ?dia"),
    early=words(r"(?:de|por|en|esta) (?:la )?(?:manana|madrugada)|esta madrugada"),
    late=words(r"(?:de|por|en|esta) (?:la )?(?:tarde|noche)"),
    days=(
        words(r"(?P<day>anteayer|antier|antes de ayer|ayer|hoy|pasado manana|manana)"),
        words(rf"(?P<day>hace {_COUNT} (?:dias?|semanas?|mes(?:es)?|anos?))"),
        words(rf"(?:(?:el )?dia )?(?P<day>{_DAY} (?:de )?{_MONTH}\.?{_YEAR}?)"),
        words(rf"(?:pasado )?(?P<day>{_WEEKDAY})(?: pasado)?"),
        words(r"(?:el )?dia (?P<of_month>[0-9]{1,2})"),
    ),
    respelled={
        "antier": "anteayer",
        "antes de ayer": "anteayer",
        "de": "",
        "del": "",
        "primero": "1",
        "1o": "1",
        "1ro": "1",
        "un": "1",
        "una": "1",
        "dos": "2",
        "tres": "3",
        "cuatro": "4",
        "cinco": "5",
        "seis": "6",
        "siete": "7",
    },
    day_to_day=(
        words(rf"(?P<first>{_DAY}){_TO}(?P<last>{_DAY}) (?:de )?(?P<month>{_MONTH})(?P<year>{_YEAR})?"),
    ),
    spans={
        "this_week": words(r"(?:en )?esta semana"),
        "previous_week": words(r"(?:la )?semana (?:pasada|anterior)|(?:la )?pasada semana"),
        "this_month": words(r"(?:en )?este mes"),
        "previous_month": words(r"(?:el )?mes (?:pasado|anterior)|(?:el )?pasado mes"),
        "this_year": words(r"(?:en )?este ano"),
        "previous_year": words(r"(?:el )?ano (?:pasado|anterior)"),
        "back": words(
            r"(?:en |durante )?(?:l[oa]s? )?ultim[oa]s? "
            rf"(?:(?P<count>{_COUNT}) )?(?P<unit>dias?|semanas?|mes(?:es)?|anos?)"
        ),
        "month": words(
            rf"(?:(?:en|durante|de) (?P<month>{_MONTH})(?: "
            rf"(?:de |del )?(?P<year>[0-9]{{4}}))?|(?P<month_of>{_MONTH}) "
            r"(?:de |del )?(?P<of_year>[0-9]{4}))"
        ),
        "year": words(r"(?:en|durante)(?: el)? (?P<year>[0-9]{4})"),
    },
    between=words(r"entre|desde|del?"),
    until=words(r"al?|hasta|-|–"),
    since=words(r"desde|a partir"),
)

GRAMMAR = Grammar(
    language="es",
    date_language="es",
    day_first=True,
    decimal_mark=",",
    telling=vocabulary(
        """
        abril adios agosto agua al altura anade anota anotar antes apunta ayer ayuda borra borrar
        brazo buenas buenos cadera caderas cambia cambies cintura como con consulta corporal
        corrige cual cuando cuanto cuello datos de del desde deshaz dia dias diciembre dime
        domingo el elimina en enero entre era es esta este estatura evolucion existe favor febrero
        fecha fue gracias grasa guarda guardar hace hasta hola hoy jueves julio junio kilos la las
        lee libras lo los lunes manana martes marzo mayo me medida mes mi miercoles muestra muslo no
        noche noviembre octubre oye para pasada pasado pecho perdon peso pesado por puedes que
        quita registra registro sabado semana septiembre si tarde tendencia tengo ultima ultimo un
        una va valor viernes voy y yo
        """
    ),
    telling_letters=frozenset("¿¡ñ"),
    time=TIME,
    metrics={
        "visceral_fat": words(r"(?:grasa )?visceral"),
        "body_fat": words(r"(?:porcentaje de )?grasa(?: corporal)?"),
        "muscle": words(r"masa muscular|muscul(?:os?|atura|ar)"),
        "water": words(r"agua(?: corporal)?"),
        "bone": words(r"(?:masa )?osea|huesos?"),
        "weight": words(r"pes(?:os?|e|aba|ado|as|amos)"),
        "neck": words(r"cuello"),
        "chest": words(r"pecho|torax|busto"),
        "waist": words(r"cintura"),
        "hips": words(r"caderas?"),
        "biceps": words(r"biceps?|brazos?"),
        "thigh": words(r"muslos?"),
        "calf": words(r"pantorrillas?|gemelos?"),
        "height": words(r"altura|estatura|mido"),
    },
    separator=words(r"y|con|mas"),
    note=re.compile(r"(?:(?:con|y) )?(?:la |una )?\bnotas? ?(?::|(?=\")) ?(?P<note>.+)", re.DOTALL),
    forbids=words(
        r"(?:no|ni|sin|nunca|tampoco) "
        r"(?:quiero que |debes |puedes |hay que |vayas a |tienes que )?"
        r"(?:me |lo |la |le |los |las |se )?(?:hagas |hacer )?(?:ningun[oa]? |ningunos )?"
        r"(?:cambi|modifi|guard|escrib|borr|toc|toq|registr|anot|anad|elimin|alter|cre|edit"
        r"|actualic|actualiz|reemplac|reemplaz|sustitu|apunt|quit|agreg|corrij|corregir|sobrescrib"
        r"|grab|met)\w*"
        r"|(?:solo|solamente|unicamente) (?:lee|leer|consulta|consultar|lectura|mira|mirar)"
        r"|no hagas nada|nada de cambios|(?:deja|dejalo) todo (?:como|igual)"
    ),
    fallback=words(
        r"(?:o )?si (?:no|falta|tampoco)(?: "
        r"(?:exist\w*|lo|la|hay|hubiera|esta|tienes|aparece|encuentras|nada|ningun[oa]?|registros?"
        r"|datos?|peso|ese|dia))*|de lo contrario|en su defecto|en caso contrario"
    ),
    log=words(
        rf"{_ASKED}(?:(?:anot|registr|guard|apunt|anad|agreg|met|escrib|grab|pon)(?:a|e|ar|er|ir)?"
        r"(?:me|lo|la|melo|mela)?)"
    ),
    correct=words(
        rf"{_ASKED}(?:corrig\w+|correg\w+|correccion|cambi"
        r"(?:a|ar|e|alo|ala|arlo)|actualiz\w+|modific\w+|reemplaz\w+|sustitu\w+|rectific\w+)"
        r"|\A\W*(?:no|era|eran)|en realidad|perdon|quise decir|queria decir|me equivoque"
        r"|me he equivocado|deb(?:ia|eria) ser|error"
    ),
    rather=words(r"a|por|sino|eran?"),
    delete=words(
        rf"{_ASKED}(?:borr|elimin|quit|suprim)(?:a|e|ar|ir|o)?(?:me|lo|la|melo|mela)?(?: "
        r"(?:eso|esto|ese|esa|lo que acab(?:as|o) de (?:guardar|anotar|registrar)))?"
    ),
    read=words(
        r"consult\w*|muestra\w*|ensena\w*|dime|cuant[oa]s?|cual(?:es)?|que|lee|leer|ver|mira|busca"
        r"|dame|hay|lista|tengo"
    ),
    trend=words(
        r"tendencias?|adelgazad\w+|engordad\w+|perdido|ganado|medio|evolucion\w*|progres\w+"
        r"|como (?:va|voy|vamos|esta|anda|sigue|fue|ha|he|evoluciona)|media|promedio|maxim[oa]"
        r"|minim[oa]|resumen|resume"
    ),
    latest=words(r"ultim[oa]s?|actual|mas reciente"),
    undo=words(r"deshaz\w*|deshacer"),
    help=words(
        r"ayuda(?:me)?|que (?:puedes|sabes) hacer|que puedo (?:decir|pedir|preguntar|hacer)\w*"
        r"|quien eres|que eres|como funcionas?|eres (?:una? |humano|real)[\w ]*"
    ),
    greeting=words(
        r"hola|buen(?:os|as) (?:dias|tardes|noches)|buenas|que tal(?: estas)?|como estas"
        r"|como (?:va|esta) todo"
    ),
    thanks=words(r"(?:muchas |mil )?gracias|perfecto|genial|estupendo"),
    yes=words(
        r"si|claro|vale|adelante|ok|okay|de acuerdo|hazlo|confirm[ao]"
        r"|(?:reemplaz|sustituy|cambi)(?:a|ala|alo|arlo)"
    ),
    no=words(r"no|dejalo(?: como esta| asi)?|deja|mantenlo|cancela(?:lo)?"),
    # Longer phrases first.
    filler=words(
        r"en ayunas|(?:antes|despues) de(?:l)? (?:desayun|com|cen|entren|corr|duch)\w+"
        r"|al (?:despertar|levantar)\w*|yo|mi|mis|me|es|son|era|eran|fue|fueron|ha|he|sido|estoy"
        r"|estaba|el|la|los|las|lo|un|una|de|del|en|a|al|por|para|favor|que|hoy|dia|fecha|tengo"
        r"|tenia|marco|marca|marcaba|miden?|ahi|da|dio|bascula|medid[ao]s?|valor|dato|registro"
        r"|entrada|ahora|tambien|pues|bueno|corporal|ese|esa|eso|este|esto"
    ),
)
