"""Words that point at what was said before and say nothing of what it is: pronouns, and places in an order."""

from __future__ import annotations

__all__ = ["POINTING_WORDS"]

POINTING_WORDS = frozenset(
    "one ones first second third fourth fifth last next previous former latter another other others rest both same "
    "thing things it its he him his she her hers they them their theirs this that these those there then and or so "
    "what which who whom whose when where why how is was are were  eins erste erster erstes ersten zweite zweiter "
    "zweites zweiten dritte dritter drittes dritten letzte letzter letztes  letzten nächste nächster nächstes andere "
    "anderer anderes anderen rest beide beiden gleiche selbe er ihn ihm sein seine  sie ihr ihre es dieser diese "
    "dieses jener jene jenes der die das den dem dort da dann damit dafür davon und oder was  welche welcher welches "
    "wer wen wem wann wo warum wie ist war sind waren  un une premier première deuxième second seconde troisième "
    "dernier dernière prochain prochaine autre autres reste même  il elle lui leur ils elles ce cet cette ces celui "
    "celle ça cela là et ou que quoi qui quand où pourquoi comment est  primero primera segundo segunda tercero "
    "tercera último última siguiente otro otra otros otras mismo misma él ella  ellos ellas su sus este esta esto ese "
    "esa eso aquel aquella allí y o qué quién cuándo dónde por cómo es era  primo prima secondo seconda terzo terza "
    "ultimo ultima prossimo prossima altro altra altri altre stesso lui lei loro  suo sua questo questa quello quella "
    "lì e che chi quando dove perché come  primeiro primeira terceiro terceira próximo próxima outro outra outros "
    "outras mesmo ele ela eles elas seu  isto isso aquele aquela ali quem onde porquê foi  eerste tweede derde "
    "laatste volgende andere hij hem zijn zij haar hun dit dat deze die daar en of wat wie wanneer waar  waarom hoe "
    "первый первая второй вторая второе третий третья последний последняя следующий другой другая он она оно они его "
    "её их  это этот эта тот та там и или что кто когда где почему как".split()
)
"""In lower case; English, German, French, Spanish, Italian, Portuguese, Dutch and Russian."""
