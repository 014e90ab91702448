"""Spanish."""

from coach.providers.builtin.phrases.base import Phrasebook

_ABILITIES = """\
Puedo:
- guardar un valor: «81,4 esta mañana a las 7», «cintura 88 cm ayer, nota: después de correr»
- consultar un día: «peso del 4 de enero»
- dar el último valor, un periodo o la tendencia: «mi peso la semana pasada», «¿cómo va mi peso?»
- corregir o borrar: «no, era 77,2», «borra el peso del 3 de enero»

Con «no cambies nada» solo consulto."""

PHRASEBOOK = Phrasebook(
    decimal_mark=",",
    months=(
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre",
        "octubre",
        "noviembre",
        "diciembre",
    ),
    metrics={
        "weight": "peso",
        "body_fat": "grasa corporal",
        "muscle": "músculo",
        "water": "agua corporal",
        "bone": "masa ósea",
        "visceral_fat": "grasa visceral",
        "neck": "cuello",
        "chest": "pecho",
        "waist": "cintura",
        "hips": "cadera",
        "biceps": "bíceps",
        "thigh": "muslo",
        "calf": "pantorrilla",
        "height": "altura",
    },
    saved_metrics={
        "weight": "un peso guardado",
        "body_fat": "un dato de grasa corporal guardado",
        "muscle": "un dato de músculo guardado",
        "water": "un dato de agua corporal guardado",
        "bone": "un dato de masa ósea guardado",
        "visceral_fat": "un dato de grasa visceral guardado",
        "neck": "una medida de cuello guardada",
        "chest": "una medida de pecho guardada",
        "waist": "una medida de cintura guardada",
        "hips": "una medida de cadera guardada",
        "biceps": "una medida de bíceps guardada",
        "thigh": "una medida de muslo guardada",
        "calf": "una medida de pantorrilla guardada",
        "height": "una altura guardada",
    },
    phrases={
        "date": "{day} de {month} de {year}",
        "first_date": "{day} de {month} de {year}",
        "and": "{before} y {last}",
        "note": "(nota: «{note}»)",
        "missing_day": "Falta el registro del {date}.",
        "missing_iso_day": "Falta el registro de {date}.",
        "missing_metric": "El {date} hay registros, pero ninguno de {metric}.",
        "says_nothing": "Eso no dice nada de otras fechas.",
        "found_one": "El {date} hay {saved_metric}: {value}.",
        "found_several": "El {date} hay: {values}.",
        "unread_day": "No se han podido leer los registros del {date}. Eso no significa que no los haya.",
        "unread": "No se han podido leer los registros. Eso no significa que no los haya.",
        "latest": "Tu último dato de {metric} es {value}, del {date}.",
        "none_lately": (
            "No hay registro de {metric} en el último año. Eso no dice nada de fechas anteriores."
        ),
        "none_in_span": (
            "No hay registro de {metric} del {start} al {end}. Eso no dice nada de otras fechas."
        ),
        "list_one": "Del {start} al {end} hay un registro de {metric}:",
        "list_many": "Del {start} al {end} hay {count} registros de {metric}:",
        "list_newest": "Del {start} al {end} hay {count} registros de {metric}. Los más recientes:",
        "list_item": "- {date}: {value}",
        "trend_one": "Del {start} al {end} hay un registro de {metric}: {value}, el {date}.",
        "trend": (
            "Tu {metric} del {start} al {end}: primero {first} ({first_date}), último {last} ({last_date})."
        ),
        "trend_change": "Cambio por semana: {change}.",
        "trend_extremes": (
            "Mínimo {lowest} ({lowest_date}), máximo {highest} ({highest_date}), media {mean}."
        ),
        "trend_days": "Registros: {count}. Días sin registro: {missing}.",
        "created": "Guardado el {date}: {values}.",
        "replaced": "Reemplazado el {date}: ahora es {values}.",
        "unchanged": "Ya estaba guardado el {date}: {values}. Nada ha cambiado.",
        "standing": (
            "El {date} ya hay: {values}. No he cambiado nada. ¿Lo reemplazo? Responde «sí, "
            "reemplázalo» o «no»."
        ),
        "standing_unread": (
            "El {date} ya hay otro valor guardado. No he cambiado nada. ¿Lo reemplazo? "
            "Responde «sí, reemplázalo» o «no»."
        ),
        "deleted": "Borrado: {values}, del {date}.",
        "done": "Hecho. Lo que el programa muestra junto a esto es lo que ha pasado.",
        "declined": "No has dado permiso, así que no he cambiado nada.",
        "refused": "No se ha aceptado y no se ha cambiado nada. {problems}",
        "failed": "No se ha podido hacer. No lo he vuelto a intentar.",
        "left_alone": "Has pedido que no cambie nada, así que no he cambiado nada.",
        "left_standing": "De acuerdo, se queda como está. No he cambiado nada.",
        "nothing_pending": "No tengo ninguna pregunta pendiente. Dime qué hago, o escribe «ayuda».",
        "which_of": "El {date} hay: {values}. Dime cuál, con su nombre y su hora.",
        "ask_value": "¿Qué valor? Escribe, por ejemplo, «81,4 kg esta mañana a las 7».",
        "ask_unit": (
            "¿En qué unidad? No he guardado nada. Escribe, por ejemplo, «peso 81,4 kg» o «12 st 7 lb»."
        ),
        "ask_metric": (
            "¿Qué valor es de qué medida? No he cambiado nada. Escribe, por ejemplo, «peso "
            "81,4 kg, cintura 88 cm»."
        ),
        "ask_day": "¿Qué registro? No he cambiado nada. Di la medida y el día: «peso del 3 de enero».",
        "one_day": "De un día en un día, por favor. No he cambiado nada.",
        "one_thing": "De un registro en un registro, por favor. No he cambiado nada.",
        "no_such_day": "Ese día no existe en el calendario. No he cambiado nada.",
        "unclear": (
            "No estoy seguro de lo que quieres, así que no he cambiado nada. Escribe, por "
            "ejemplo, «81,4 kg ayer a las 7, nota: después de correr»."
        ),
        "unclear_words": (
            "No sé qué hacer con «{words}», así que no he cambiado nada. Escribe, por "
            "ejemplo, «81,4 kg ayer a las 7, nota: después de correr»."
        ),
        "undo": "Usa Deshacer en el recibo del cambio. Yo no puedo deshacerlo.",
        "greeting": (
            "Hola. Soy el coach integrado: un programa con reglas fijas, no un modelo de "
            "lenguaje. Dime un valor o pregunta por uno; «ayuda» muestra lo que puedo hacer."
        ),
        "thanks": "De nada.",
        "help": (
            "Soy el coach integrado: un programa con reglas fijas que funciona sin conexión, "
            f"no un modelo de lenguaje. {_ABILITIES}"
        ),
        "unknown": (
            "No lo he entendido. Soy el coach integrado: un programa con reglas fijas, no un "
            f"modelo de lenguaje. {_ABILITIES}"
        ),
    },
)
