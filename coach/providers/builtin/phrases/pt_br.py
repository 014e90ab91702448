"""Brazilian Portuguese."""

from coach.providers.builtin.phrases.base import Phrasebook

_ABILITIES = """\
Posso:
- salvar um valor: “81,4 hoje às 7h30”, “cintura 88 cm ontem, nota: depois de correr”
- consultar um dia: “peso de 4 de janeiro”
- dar o último valor, um período ou a tendência: “meu peso na semana passada”, “como está meu peso?”
- corrigir ou apagar: “não, era 77,2”, “apague o peso de 3 de janeiro”

Com “não altere nada” eu só consulto."""

PHRASEBOOK = Phrasebook(
    decimal_mark=",",
    months=(
        "janeiro",
        "fevereiro",
        "março",
        "abril",
        "maio",
        "junho",
        "julho",
        "agosto",
        "setembro",
        "outubro",
        "novembro",
        "dezembro",
    ),
    metrics={
        "weight": "peso",
        "body_fat": "gordura corporal",
        "muscle": "músculo",
        "water": "água corporal",
        "bone": "massa óssea",
        "visceral_fat": "gordura visceral",
        "neck": "pescoço",
        "chest": "peito",
        "waist": "cintura",
        "hips": "quadril",
        "biceps": "bíceps",
        "thigh": "coxa",
        "calf": "panturrilha",
        "height": "altura",
    },
    saved_metrics={
        "weight": "um peso salvo",
        "body_fat": "um dado de gordura corporal salvo",
        "muscle": "um dado de músculo salvo",
        "water": "um dado de água corporal salvo",
        "bone": "um dado de massa óssea salvo",
        "visceral_fat": "um dado de gordura visceral salvo",
        "neck": "uma medida de pescoço salva",
        "chest": "uma medida de peito salva",
        "waist": "uma medida de cintura salva",
        "hips": "uma medida de quadril salva",
        "biceps": "uma medida de bíceps salva",
        "thigh": "uma medida de coxa salva",
        "calf": "uma medida de panturrilha salva",
        "height": "uma altura salva",
    },
    phrases={
        "date": "{day} de {month} de {year}",
        "first_date": "{day}º de {month} de {year}",
        "and": "{before} e {last}",
        "note": "(nota: “{note}”)",
        "missing_day": "Falta o registro de {date}.",
        "missing_iso_day": "Falta o registro de {date}.",
        "missing_metric": "Em {date} há registros, mas nenhum de {metric}.",
        "says_nothing": "Isso não diz nada sobre outras datas.",
        "found_one": "Em {date} há {saved_metric}: {value}.",
        "found_several": "Em {date} há: {values}.",
        "unread_day": "Não foi possível ler os registros de {date}. Isso não significa que não existam.",
        "unread": "Não foi possível ler os registros. Isso não significa que não existam.",
        "latest": "Seu último dado de {metric} é {value}, de {date}.",
        "none_lately": (
            "Não há registro de {metric} no último ano. Isso não diz nada sobre datas anteriores."
        ),
        "none_in_span": (
            "Não há registro de {metric} de {start} a {end}. Isso não diz nada sobre outras datas."
        ),
        "list_one": "De {start} a {end} há um registro de {metric}:",
        "list_many": "De {start} a {end} há {count} registros de {metric}:",
        "list_newest": "De {start} a {end} há {count} registros de {metric}. Os mais recentes:",
        "list_item": "- {date}: {value}",
        "trend_one": "De {start} a {end} há um registro de {metric}: {value}, em {date}.",
        "trend": (
            "Dados de {metric} de {start} a {end}: primeiro {first} ({first_date}), último "
            "{last} ({last_date})."
        ),
        "trend_change": "Mudança por semana: {change}.",
        "trend_extremes": (
            "Mínimo {lowest} ({lowest_date}), máximo {highest} ({highest_date}), média {mean}."
        ),
        "trend_days": "Registros: {count}. Dias sem registro: {missing}.",
        "created": "Salvo em {date}: {values}.",
        "replaced": "Substituído em {date}: agora é {values}.",
        "unchanged": "Já estava salvo em {date}: {values}. Nada mudou.",
        "standing": (
            "Em {date} já há: {values}. Não alterei nada. Substituo? Responda “sim, substitua” ou “não”."
        ),
        "standing_unread": (
            "Em {date} já há outro valor salvo. Não alterei nada. Substituo? Responda “sim, "
            "substitua” ou “não”."
        ),
        "deleted": "Apagado: {values}, de {date}.",
        "done": "Feito. O que o programa mostra ao lado é o que aconteceu.",
        "declined": "Você não autorizou, então não alterei nada.",
        "refused": "Isso não foi aceito e nada foi alterado. {problems}",
        "failed": "Não foi possível fazer isso. Não tentei de novo.",
        "left_alone": "Você pediu para não alterar nada, então não alterei nada.",
        "left_standing": "Certo, fica como está. Não alterei nada.",
        "nothing_pending": (
            "Não tenho nenhuma pergunta em aberto. Diga o que devo fazer, ou escreva “ajuda”."
        ),
        "which_of": "Em {date} há: {values}. Diga qual, com o nome e a hora.",
        "ask_value": "Qual valor? Escreva, por exemplo, “81,4 kg hoje às 7h30”.",
        "ask_unit": (
            "Em qual unidade? Não salvei nada. Escreva, por exemplo, “peso 81,4 kg” ou “12 st 7 lb”."
        ),
        "ask_metric": (
            "Qual valor é de qual medida? Não alterei nada. Escreva, por exemplo, “peso 81,4 "
            "kg, cintura 88 cm”."
        ),
        "ask_day": "Qual registro? Não alterei nada. Diga a medida e o dia: “peso de 3 de janeiro”.",
        "one_day": "Um dia de cada vez, por favor. Não alterei nada.",
        "one_thing": "Um registro de cada vez, por favor. Não alterei nada.",
        "no_such_day": "Esse dia não existe no calendário. Não alterei nada.",
        "unclear": (
            "Não tenho certeza do que você quer, então não alterei nada. Escreva, por "
            "exemplo, “81,4 kg ontem às 7h, nota: depois de correr”."
        ),
        "unclear_words": (
            "Não sei o que fazer com “{words}”, então não alterei nada. Escreva, por exemplo,"
            " “81,4 kg ontem às 7h, nota: depois de correr”."
        ),
        "undo": "Use Desfazer no recibo da alteração. Eu não consigo desfazer.",
        "greeting": (
            "Olá. Sou o coach integrado: um programa com regras fixas, não um modelo de "
            "linguagem. Diga um valor ou pergunte por um; “ajuda” mostra o que posso fazer."
        ),
        "thanks": "De nada.",
        "help": (
            "Sou o coach integrado: um programa com regras fixas que funciona sem conexão, "
            f"não um modelo de linguagem. {_ABILITIES}"
        ),
        "unknown": (
            "Não entendi. Sou o coach integrado: um programa com regras fixas, não um modelo "
            f"de linguagem. {_ABILITIES}"
        ),
    },
)
