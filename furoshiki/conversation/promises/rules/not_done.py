"""What is said instead of a claim that nothing stands behind, in the language of the claim."""

from __future__ import annotations


def put_right(kind: str, tongue: str) -> str:
    """The truth about an act of this kind that has not happened."""
    return _SAID[kind, tongue]


_SAID = {
    ("reminder", "en"): "To be honest: no reminder is set yet. Write “remind me …” with what and when, and it is.",
    (
        "reminder",
        "de",
    ): "Ehrlich gesagt: Es ist noch keine Erinnerung gestellt. Schreib „erinnere mich …“, was und wann.",
    ("reminder", "es"): "La verdad: todavía no hay ningún recordatorio. Escribe «recuérdame …» con qué y cuándo.",
    ("reminder", "ru"): "Честно говоря, напоминания ещё нет. Напиши «напомни мне …», о чём и когда.",
    ("reminder", "tr"): "Dürüst olayım: henüz bir hatırlatma kurulmadı. “… hatırlat” diye ne ve ne zaman olduğunu yaz.",
    ("reminder", "fr"): "Pour être honnête : aucun rappel n'est créé. Dis-moi quoi et quand.",
    ("reminder", "pt"): "Para ser honesto: ainda não há nenhum lembrete. Diz-me o quê e quando.",
    ("reminder", "it"): "A essere sinceri: non c'è ancora nessun promemoria. Dimmi che cosa e quando.",
    ("reminder", "zh"): "说实话，提醒还没有设好。请告诉我什么事、什么时候。",
    ("list", "en"): "To be honest: nothing has changed on your lists. Write “put … on the list”, and it does.",
    ("list", "de"): "Ehrlich gesagt: An deinen Listen hat sich nichts geändert. Schreib „setz … auf die Liste“.",
    ("list", "es"): "La verdad: no ha cambiado nada en tus listas. Escribe «pon … en la lista».",
    ("list", "ru"): "Честно говоря, в списках ничего не изменилось. Напиши «добавь … в список».",
    ("list", "tr"): "Dürüst olayım: listelerinde bir şey değişmedi. “listeye … ekle” diye yaz.",
    ("list", "fr"): "Pour être honnête : rien n'a changé dans tes listes. Écris « ajoute … à la liste ».",
    ("list", "pt"): "Para ser honesto: nada mudou nas tuas listas. Escreve «adiciona … à lista».",
    ("list", "it"): "A essere sinceri: nelle tue liste non è cambiato niente. Scrivi «aggiungi … alla lista».",
    ("list", "zh"): "说实话，清单没有变。请写“把……加到清单”。",
    ("forget", "en"): "To be honest: nothing has been erased. `/forget` with what it is about shows what would go.",
    ("forget", "de"): "Ehrlich gesagt: Gelöscht ist nichts. `/forget` mit dem, worum es geht, zeigt, was ginge.",
    ("forget", "es"): "La verdad: no se ha borrado nada. `/forget` con lo que sea muestra qué se iría.",
    ("forget", "ru"): "Честно говоря, ничего не удалено. `/forget` и о чём речь покажет, что исчезнет.",
    ("forget", "tr"): "Dürüst olayım: hiçbir şey silinmedi. `/forget` ve konusu, neyin gideceğini gösterir.",
    ("forget", "fr"): "Pour être honnête : rien n'a été effacé. `/forget` avec le sujet montre ce qui partirait.",
    ("forget", "pt"): "Para ser honesto: nada foi apagado. `/forget` com o assunto mostra o que iria.",
    ("forget", "it"): "A essere sinceri: non è stato cancellato niente. `/forget` con l'argomento lo mostra.",
    ("forget", "zh"): "说实话，什么都没有删除。`/forget` 加上内容会先显示会删掉什么。",
    ("quiet", "en"): "To be honest: no quiet is set yet. With `/quiet` and until when, I write nothing unasked.",
    ("quiet", "de"): "Ehrlich gesagt: Ruhe ist noch nicht eingestellt. Mit `/quiet` und bis wann schreibe ich nicht.",
    ("quiet", "es"): "La verdad: el silencio aún no está puesto. Con `/quiet` y hasta cuándo, no escribo nada.",
    ("quiet", "ru"): "Честно говоря, тишина ещё не включена. С `/quiet` и до каких пор я ничего не пишу.",
    ("quiet", "tr"): "Dürüst olayım: sessizlik henüz ayarlı değil. `/quiet` ve ne zamana kadar, o zamana dek yazmam.",
    (
        "quiet",
        "fr",
    ): "Pour être honnête : le silence n'est pas réglé. Avec `/quiet` et jusqu'à quand, je n'écris rien.",
    ("quiet", "pt"): "Para ser honesto: o silêncio ainda não está marcado. Com `/quiet` e até quando, não escrevo.",
    ("quiet", "it"): "A essere sinceri: il silenzio non è ancora impostato. Con `/quiet` e fino a quando, non scrivo.",
    ("quiet", "zh"): "说实话，还没有设置安静时间。用 `/quiet` 加上到什么时候，我就不会主动写。",
}
