"""Brazilian Portuguese."""

import re

from coach.providers.builtin.grammar.base import Grammar, TimeWords
from coach.providers.builtin.text import vocabulary, words

_MONTH = (
    r"(?:janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro"
    r"|jan|fev|mar|abr|mai|jun|jul|ago|set|out|nov|dez)"
)
_WEEKDAY = r"(?:segunda|terca|quarta|quinta|sexta|sabado|domingo)(?:[ -]feira)?"
_DAY = r"(?<![0-9][.,])(?:[0-9]{1,2}|primeiro|1o)"
_YEAR = r"(?:,? (?:de )?[0-9]{4})"
_COUNT = r"(?:[0-9]{1,3}|uma?|dois|duas|tres|quatro|cinco|seis|sete)"
_TO = r" ?(?:a|e|ate|ao|-|–) ?(?:o )?(?:dia )?"
_ASKED = r"(?:quero |queria |preciso |(?:voce )?pode |(?:voce )?poderia |por favor,? )?"

TIME = TimeWords(
    clock=(
        words(
            r"(?:as|pelas|a(?= 1\b)) (?P<hour>[0-9]{1,2})"
            r"(?:[:h] ?(?P<minute>[0-9]{2})| e (?P<half>meia))?(?: ?"
            r"(?:h|hs|hrs?|horas?)\b)?(?![.,]?[0-9])"
        ),
        words(r"(?P<hour>[0-9]{1,2})[:h] ?(?P<minute>[0-9]{2})(?: ?(?:h|hs|min|horas)\b)?"),
        words(r"(?P<hour>[0-9]{1,2}) ?(?:h|hs|hrs|horas)"),
    ),
    noon=words(r"(?:ao )?meio[ -]dia"),
    early=words(r"(?:da|de|pela|na|esta|nesta|desta) (?:manha|madrugada)"),
    late=words(r"(?:da|de|pela|a|na|esta|nesta|desta) (?:tarde|noite)"),
    days=(
        words(r"(?P<day>anteontem|antes de ontem|ontem|hoje|depois de amanha|amanha)"),
        words(rf"(?P<day>(?:ha|faz) {_COUNT} (?:dias?|semanas?|mes(?:es)?|anos?))(?: atras)?"),
        words(rf"(?P<day>{_COUNT} (?:dias?|semanas?|mes(?:es)?|anos?) atras)"),
        words(rf"(?:(?:o )?dia )?(?P<day>{_DAY} (?:de )?{_MONTH}\.?{_YEAR}?)"),
        words(rf"(?:(?:ultim[ao]|passad[ao]) )?(?P<day>{_WEEKDAY})(?: passad[ao])?"),
        words(r"(?:no |o )?dia (?P<of_month>[0-9]{1,2})"),
    ),
    respelled={
        "antes de ontem": "anteontem",
        "faz": "ha",
        "de": "",
        "primeiro": "1",
        "1o": "1",
        "um": "1",
        "uma": "1",
        "dois": "2",
        "duas": "2",
        "tres": "3",
        "quatro": "4",
        "cinco": "5",
        "seis": "6",
        "sete": "7",
    },
    day_to_day=(
        words(rf"(?P<first>{_DAY}){_TO}(?P<last>{_DAY}) (?:de )?(?P<month>{_MONTH})(?P<year>{_YEAR})?"),
    ),
    spans={
        "this_week": words(r"(?:n?esta|essa|nessa) semana"),
        "previous_week": words(r"(?:n?a )?semana (?:passada|anterior)"),
        "this_month": words(r"(?:n?este|esse|nesse) mes"),
        "previous_month": words(r"(?:n?o )?mes (?:passado|anterior)"),
        "this_year": words(r"(?:n?este|esse|nesse) ano"),
        "previous_year": words(r"(?:n?o )?ano (?:passado|anterior)"),
        "back": words(
            r"(?:n?[oa]s? |durante )?(?:[oa]s? )?ultim[oa]s? "
            rf"(?:(?P<count>{_COUNT}) )?(?P<unit>dias?|semanas?|mes(?:es)?|anos?)"
        ),
        "month": words(
            rf"(?:(?:em|durante|de) (?P<month>{_MONTH})(?: "
            rf"(?:de )?(?P<year>[0-9]{{4}}))?|(?P<month_of>{_MONTH}) "
            r"(?:de )?(?P<of_year>[0-9]{4}))"
        ),
        "year": words(r"(?:em|durante) (?P<year>[0-9]{4})"),
    },
    between=words(r"entre|desde|d[eo]"),
    until=words(r"ate|ao?|-|–"),
    since=words(r"desde|a partir"),
)

GRAMMAR = Grammar(
    language="pt-br",
    date_language="pt",
    day_first=True,
    decimal_mark=",",
    telling=vocabulary(
        """
        abril adiciona adicione agosto agua ajuda ajudar altere altura anota anote anteontem ao
        apaga apagar apague as ate bom boa braco cintura coloca com como consulta consulte
        corporal corrige corrija da dados data de desde desculpa dezembro dia dias diga do domingo
        dos duas e em entre era essa esse esta este evolucao existir exclua exclui favor faz
        fevereiro foi gordura ha hoje isso janeiro julho junho kilos lance leia libras maio mais
        manha marco me medida mes meu minha mostra mostre mude na nao no noite novembro o obrigada
        obrigado oi ola ontem os outubro para passada passado peito peito pelo pescoco pesei peso
        por pra qual quando quanto quadril que quilos quinta registra registre registro sabado
        salva salve se segunda semana setembro sexta sim tarde tem tendencia terca ultima ultimo
        um uma vai valor voce
        """
    ),
    telling_letters=frozenset("ãõçêâôà"),
    time=TIME,
    metrics={
        "visceral_fat": words(r"(?:gordura )?visceral"),
        "body_fat": words(r"(?:percentual de |porcentagem de )?gordura(?: corporal)?"),
        "muscle": words(r"massa muscular|muscul(?:os?|ar)"),
        "water": words(r"agua(?: corporal)?"),
        "bone": words(r"(?:massa )?ossea|ossos?"),
        "weight": words(r"pes(?:os?|ei|ava|ando|amos|ou)"),
        "neck": words(r"pescoco"),
        "chest": words(r"peito(?:ral)?|torax|busto"),
        "waist": words(r"cintura"),
        "hips": words(r"quadr(?:il|is)"),
        "biceps": words(r"biceps?|bracos?"),
        "thigh": words(r"coxas?"),
        "calf": words(r"panturrilhas?"),
        "height": words(r"altura|estatura"),
    },
    separator=words(r"e|com|mais"),
    note=re.compile(r"(?:(?:com|e) )?(?:a |uma )?\bnotas? ?(?::|(?=\")) ?(?P<note>.+)", re.DOTALL),
    forbids=words(
        r"(?:nao|nem|sem|nunca) (?:quero que |deve |pode |e para |precisa )?(?:voce )?"
        r"(?:me |o |a |os |as )?(?:faca |fazer )?(?:nenhum[a]? )?"
        r"(?:alter|mud|modifi|cri|salv|grav|apag|registr|anot|mex|toq|toc|edit|exclu|remov|delet"
        r"|escrev|adicion|atualiz|guard|troc|troq|substitu|corrij|corrig|lanc|coloc|coloq)\w*"
        r"|(?:so|somente|apenas) "
        r"(?:leia|ler|consulta|consulte|consultar|leitura|olhe|olhar|veja|ver)|nao faca nada"
        r"|sem mudancas|deix[ae] tudo (?:como|igual)"
    ),
    fallback=words(
        r"(?:se|caso) (?:tambem )?(?:nao|faltar)(?: "
        r"(?:exist\w*|h[ao]uver|ha|tiver|tem|achar|encontrar|nada|nenhum|registros?|dados?|peso"
        r"|ele|ela))*|caso contrario|senao|do contrario"
    ),
    log=words(
        rf"{_ASKED}(?:(?:anot|registr|salv|guard|adicion|grav|coloc|coloqu|lanc|marc|escrev)"
        r"(?:a|e|ar|er)?(?:-[oa])?)"
    ),
    correct=words(
        rf"{_ASKED}(?:corrij\w+|corrig\w+|correcao|mud[ae]r?|alter[ae]r?|atualiz\w+|troc\w+"
        r"|troqu\w+|substitu\w+)(?: isso)?|\A\W*(?:nao|no(?=[,.;:!]| era)|era|foi)|na verdade"
        r"|desculp\w+|quis dizer|queria dizer|me enganei|errei|dev(?:ia|eria) ser|erro"
    ),
    rather=words(r"para|por|e sim|mas|era"),
    delete=words(
        rf"{_ASKED}(?:apag|exclu|remov|delet|elimin)(?:a|e|ue|i|ar|er|ir|uir)?(?:-[oa])?(?: "
        r"(?:isso|isto|ess[ea]|o que (?:voce )?acab(?:ou|ei) de (?:salvar|anotar|registrar)))?"
    ),
    read=words(
        r"consult\w*|mostr\w*|diga|me diz|quant[oa]s?|qual|quais|que|leia|ler|ver|veja|busc\w*"
        r"|procur\w*|ha|tem|tenho|lista\w*|liste"
    ),
    trend=words(
        r"tendencias?|emagre\w+|engord\w+|perdi|ganhei|medio|evolu\w+|progress\w+"
        r"|como (?:vai|esta|anda|vem|tem|foi|estou|vou|evolui)|media|maxim[oa]|minim[oa]|resumo"
        r"|resuma"
    ),
    latest=words(r"ultim[oa]s?|atual|mais recente"),
    undo=words(r"desfaz\w*|desfaca"),
    help=words(
        r"ajud[ae]r?|(?:o )?que (?:voce )?(?:pode|sabe|consegue|faz)(?: fazer)?(?: voce)?"
        r"|quem e voce|o que voce e|(?:o )?que posso (?:dizer|pedir|perguntar|fazer)"
        r"|como (?:voce )?funciona|voce e (?:uma? |human[oa]|real)[\w ]*"
    ),
    greeting=words(r"oi|ola|bom dia|boa (?:tarde|noite)|tudo bem|como vai(?: voce)?|e ai"),
    thanks=words(r"(?:muito )?obrigad[oa]|valeu|perfeito|otimo|legal"),
    yes=words(
        r"sim|claro|ok|okay|pode|isso|confirm[ao]|vai em frente"
        r"|(?:substitu|troqu|troc|mud)(?:a|e|i|ir|ar)(?:-[oa])?"
    ),
    no=words(r"nao|deixa(?: assim| como esta)?|deixe(?: assim| como esta)?|mantenha|cancela|cancele"),
    # Longer phrases first.
    filler=words(
        r"em jejum|(?:antes|depois) d[eoa] (?:cafe|almoc|jant|trein|corr|banho)\w*(?: da manha)?"
        r"|ao acordar|eu|meu|minha|meus|minhas|me|e|sao|era|eram|foi|foram|estou|estava|esta|o|a"
        r"|os|as|um|uma|de|do|da|dos|em|no|na|ao|para|pra|por|favor|que|hoje|dia|data|tenho|deu"
        r"|marcou|medem?|ai|balanca|medid[ao]s?|valor|dado|registro|agora|tambem|bem|bom|corporal"
        r"|percentual|isso|isto|esse|essa|este|com"
    ),
)
