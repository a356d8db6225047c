"""What is heard as a wish for a picture, in the languages that are spoken here.

It decides what is painted at once: a wish that is not heard here costs one tap, since then they are asked first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

LONGEST = 600
"""Characters of a message that is looked at."""

_WAYS = """
draw   | draw,paint,sketch,please draw,please paint,you draw,you paint,you sketch,and draw,now draw,you to draw
make   | make,create,generate,show,send,give
thing  | picture,image,drawing,painting,sketch,illustration,photo,selfie,portrait
look   | what you look like,how you look,show me yourself
draw   | zeichne,male,mal mir,mal uns,mal dich,mal bitte,mal ein,mal eine,mal einen,bitte zeichne,bitte mal,und zeichne
make   | mach,mache,machen,erstell,erstelle,erstellen,zeig,zeige,schick,schicke,gib,malen,zeichnen
thing  | bild,zeichnung,gemälde,skizze,foto,selfie,porträt,portrait
look   | wie du aussiehst,zeig dich,zeichne dich,mal dich,dich zeichnen,dich malen
draw   | dibuja,dibújame,dibujame,dibújanos,dibújate,pinta,píntame,pintame,puedes dibujar,puedes dibujarme
make   | haz,hazme,hacer,hacerme,crea,créame,genera,muéstrame,enséñame,mándame
thing  | dibujo,imagen,foto,cuadro,ilustración,retrato,selfi
look   | cómo eres,como eres,dibújate,cómo te ves
draw   | dessine,dessine-moi,dessine-nous,dessine-toi,peins,peins-moi,tu dessiner,me dessiner
make   | fais,fais-moi,faire,crée,crée-moi,créer,génère,montre-moi,envoie-moi
thing  | dessin,image,photo,peinture,croquis,portrait,selfie
look   | à quoi tu ressembles,dessine-toi,montre-toi
draw   | disegna,disegnami,disegnaci,disegnati,dipingi,dipingimi,puoi disegnare,puoi disegnarmi
make   | fammi,fai,farmi,crea,creami,genera,mostrami,mandami
thing  | disegno,immagine,foto,quadro,schizzo,ritratto,selfie
look   | come sei fatto,come sei fatta,come sei,disegnati,mostrati
draw   | desenha,desenha-me,desenhe,desenhar,pinta,pinta-me,pinte
make   | faz,faz-me,faça,fazer,cria,crie,criar,gera,gere,mostra,mostra-me,manda,envia
thing  | desenho,imagem,foto,pintura,retrato,selfie
look   | como és,como você é,desenha-te,mostra-te
draw   | нарисуй,нарисуйте,нарисуешь,изобрази,можешь нарисовать
make   | сделай,сделать,создай,сгенерируй,покажи,пришли
thing  | рисунок,картинку,изображение,фото,портрет,селфи
look   | как ты выглядишь,нарисуй себя,покажи себя
draw   | *çiz,çizer misin,çizebilir misin,*çizsene,resmini yap
make   | yap,yapar,yapabilir,oluştur,göster,gönder,üret
thing  | resim,resmi,resmini,çizim,fotoğraf,görsel,portre,selfie
look   | nasıl göründüğünü,kendini çiz,kendini göster
draw_  | 画一,畫一,画张,畫張,画只,畫隻,画个,畫個,画我,畫我,画你,畫你,给我画,給我畫,帮我画,幫我畫
make_  | 生成,制作,製作,做一,来一,來一,发一,發一,给我看,給我看
thing_ | 图,圖,画,畫,照片,自拍
look_  | 你长什么样,你長什麼樣,你的样子,你的樣子,画你自己,畫你自己
"""
"""By language: words that ask for it at the beginning of a sentence, words that do so with a picture named near, what
is named, and what asks for the companion itself. Words with a blank or a "*" ask for it anywhere in a sentence. With
"_" words are not parted by blanks."""

_NEAR = 50
"""Characters between a word that asks and what it asks for."""

_ITSELF = re.compile(
    r"\b(?:yourself|selfies?|selfi|of you|dich|von dir|de ti|de toi|di te|de você|себя|тебя|kendini|селфи)\b"
    r"|你自己|自拍",
    re.IGNORECASE,
)


def _read() -> tuple[re.Pattern[str], re.Pattern[str], tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]]:
    asks, looks, pairs = [], [], []
    held: dict[str, str] = {}
    for line in _WAYS.strip().splitlines():
        kind, words = (part.strip() for part in line.split("|"))
        bound = "" if kind.endswith("_") else r"\b"
        held[kind.rstrip("_")] = _any_of(words.split(","), bound)
        if kind.startswith("draw"):
            anywhere = [word.lstrip("*") for word in words.split(",") if " " in word or word.startswith("*")]
            asks.append(rf"^{held['draw']}|[.!?,:;]\s{held['draw']}")
            asks.append(_any_of(anywhere, bound) if bound and anywhere else held["draw"])
        elif kind.startswith("thing"):
            pairs.append((re.compile(held["make"], re.IGNORECASE), re.compile(held["thing"], re.IGNORECASE)))
        elif kind.startswith("look"):
            looks.append(held["look"])
    asked, looked = (re.compile("|".join(ways), re.IGNORECASE) for ways in ([*asks, *looks], looks))
    return asked, looked, tuple(pairs)


def _any_of(words: Sequence[str], bound: str) -> str:
    return f"{bound}(?:{'|'.join(re.escape(word.lstrip('*')) for word in words)}){bound}"


_ASKS, _LOOKS, _PAIRS = _read()

_TOLD = re.compile(r"\b(?:don'?t|do not|never|nicht|kein|nunca|jamais|mai|никогда|не|asla)\b|不要|别|別", re.IGNORECASE)
"""A message with such words is left to be asked about: what is not wanted costs nothing."""


def is_picture_request(text: str) -> bool:
    """Whether a message asks for a picture; `text` is what its sender wrote themselves."""
    held = " ".join(text.split())
    if len(held) > LONGEST or _TOLD.search(held) is not None:
        return False
    return _ASKS.search(held) is not None or any(_stand_near(held, *pair) for pair in _PAIRS)


def _stand_near(text: str, make: re.Pattern[str], thing: re.Pattern[str]) -> bool:
    """Whether a word for making and one for what is made stand near each other, in either order."""
    things = [found.span() for found in thing.finditer(text)]
    makes = [found.span() for found in make.finditer(text)] if things else []
    return any(0 <= max(begins - ended, began - ends) <= _NEAR for began, ended in makes for begins, ends in things)


def is_about_itself(text: str) -> bool:
    """Whether such a message asks for a picture of the companion."""
    return _LOOKS.search(text) is not None or _ITSELF.search(text) is not None
