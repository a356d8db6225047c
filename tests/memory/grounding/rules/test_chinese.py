"""What is denied, supposed, reported or told of others in Chinese is seen as such, and what is plainly told is not.

A row is a message, what a mind wrote of the owner, and what is to be found against it: "" for what is so.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from furoshiki.language import testimony
from furoshiki.memory.grounding.rules.conversation import Conversation
from furoshiki.memory.grounding.rules.judging import judge
from tests.support.stored_turns import make_turn

NOON = datetime(2026, 3, 9, 12, tzinfo=UTC)
DENIED, SUPPOSED, ASKED, OTHER = "it is denied", "supposed", "asked or told by others", "somebody else"

ROWS = """
我在成都教高中化学 | They teach chemistry. |
我不在腾讯上班了 | They work at Tencent. | it is denied
我没考上研究生 | They passed the entrance exam. | it is denied
我沒有兄弟姐妹 | They have siblings. | it is denied
我从来不喝酒 | They drink. | it is denied
我戒了烟，半年了 | They smoke. | it is denied
我不过生日的 | They celebrate their birthday. | it is denied
我不怎么吃辣 | They eat spicy food. | it is denied
不过我还是去了 | They went. |
我差不多写完了 | They have nearly finished writing. |
没错，我是重庆人 | They come from Chongqing. |
对不起，我昨天喝多了 | They drank too much yesterday. |
我忍不住买了那双鞋 | They bought the shoes. |
我特别喜欢猫 | They love cats. |
我跟别人合租 | They share a flat. |
我不仅写代码，还带人 | They write code and lead people. |
没想到我真的考上了 | They passed the exam. |
我住得不错，就是有点远 | Their flat is good but far away. |
今天不小心把手机摔了 | They dropped their phone. |
不是周三，是周四手术 | They are operated on on Thursday. |
我得上班了，没办法 | They have to work. |
我妈身体不好，我每周回去 | They go home every week. |
没多久我就搬到了深圳 | They moved to Shenzhen. |
我不吃香菜 | They do not eat coriander. |
我要是中奖了就辞职 | They quit their job. | supposed
如果过了面试我就去杭州 | They go to Hangzhou. | supposed
可能下个月搬家吧 | They move next month. | supposed
我想学吉他 | They learn the guitar. | supposed
我在考虑离婚 | They get divorced. | supposed
昨晚梦见我中了彩票 | They won the lottery. | supposed
我差点把手切了 | They cut their hand. | supposed
我以前在华为上班 | They work at Huawei. | supposed
下雨的话我就不跑了 | They do not run. | supposed
我打算养只猫 | They plan to have a cat. |
我想起来了，钥匙在冰箱里 | Their keys are in the fridge. |
我想我妈了 | They miss their mother. |
他说的话我一直记得 | They remember his words. |
我想你了 | They missed their companion. |
我不想活得太累 | They do not live too hard. | supposed
我该不该辞职 | They quit their job. | supposed
我是不是太敏感了 | They are too sensitive. | asked or told by others
你觉得我胖吗 | They are fat. | asked or told by others
我胖吗？ | They are fat. | asked or told by others
听说我要被调去北京 | They are moved to Beijing. | asked or told by others
老板跟我说我要升职了 | They get promoted. | asked or told by others
她觉得我太冷漠 | They are too cold. | asked or told by others
我妈说我太瘦了 | They are too thin. | asked or told by others
我跟老板说我要辞职了 | They told their boss that they quit. |
我觉得自己变胖了 | They have put on weight. |
我说过了，我对花生过敏 | They are allergic to peanuts. |
说实话我挺怕狗的 | They are afraid of dogs. |
说起来我也是四川人 | They come from Sichuan. |
没话说，我服了 | They give up. |
谁知道呢，反正我辞职了 | They quit their job. |
我妹住在里昂 | They live in Lyon. | somebody else
我男朋友在杭州写代码 | They write code in Hangzhou. | somebody else
我家狗四岁了 | They are 4. | somebody else
妈妈住院了 | They are in hospital. | somebody else
昨天老公出差去了广州 | They went to Guangzhou on business. | somebody else
他在字节上班 | They work at ByteDance. | somebody else
她对海鲜过敏 | They are allergic to seafood. | somebody else
我的同事辞职了 | They quit their job. | somebody else
我妹住在里昂 | They have a sister in Lyon. |
我妹来看我了 | They had a visit. |
我跟我妹住在里昂 | They live in Lyon. |
我和老公开了家面馆 | They run a noodle shop. |
其他都还行，我就是困 | They are tired. |
我弹吉他弹了十年 | They have played the guitar for ten years. |
妈的好烦，又加班 | They work overtime again. |
我老家在绵阳 | They come from Mianyang. |
我老师当得挺开心 | They enjoy being a teacher. |
我家在三楼 | They live on the third floor. |
我朋友很多 | They have many friends. |
人家都结婚了，就我单着 | They are single. |
今天加班到十一点 累死了 | They worked until eleven. |
在杭州租了个单间 | They rent a room in Hangzhou. |
别提了，今天被领导骂了一顿 | They were scolded by their boss. |
我别无选择只能签 | They signed. | it is denied
我不得不请假 | They take leave. |
我还没吃饭 | They have eaten. | it is denied
我一点都不怕 | They are afraid. | it is denied
并不是我提的分手 | They broke up. | it is denied
我没跟他借过钱 | They borrowed money from him. | it is denied
我不会开车 | They can drive. | it is denied
我去不了成都了 | They go to Chengdu. | it is denied
我差一点就哭了 | They cried. | supposed
我以为我怀孕了 | They are pregnant. | supposed
没准我要搬去昆明 | They move to Kunming. | supposed
好像发烧了我 | They have a fever. | supposed
希望能转正 | They are taken on. | supposed
我曾经是护士 | They are a nurse. | supposed
想吃火锅 | They eat hotpot. | supposed
我每天都想家 | They are homesick. |
我想必是累了 | They are tired. |
我同事说我像个机器人 | They are like a robot. | asked or told by others
医生说我血压高 | Their blood pressure is high. | asked or told by others
我该买房吗 | They buy a flat. | asked or told by others
你知道我是做什么的吗 | They work. | asked or told by others
我昨天跟我妈说我升职了 | They got promoted. |
我刚才说我在减肥 | They are on a diet. |
再说我也没钱 | They have money. | it is denied
我爸心脏做了支架 | They have a stent in the heart. | somebody else
外婆明天八十大寿 | They turn eighty. | somebody else
我儿子在学小提琴 | They learn the violin. | somebody else
刚才室友把锅烧了 | They burned a pot. | somebody else
他们搬去上海了 | They moved to Shanghai. | somebody else
我室友和我都报了驾校 | They signed up for driving school. |
跟我妈吵架了 | They quarrelled with their mother. |
陪外婆去了趟医院 | They went to the hospital with their grandmother. |
我对象比我大三岁 | They have a partner. |
老板让我下周去北京出差 | They go to Beijing on business next week. |
我喜欢吃妈妈做的面 | They like their mother's noodles. |
我是猫派 | They prefer cats. |
吉他我练了三年 | They have played the guitar for three years. |
"""


def _judged(message: str, claim: str, spoken: str = "zh") -> str:
    told = testimony.build_typed(message)
    turn = make_turn(1, told.text, NOON, foreign=told.foreign)
    one = Conversation([turn], UTC, "", "Furo").statement(claim, "fact", [1], of_owner=True)
    return judge(replace(one, languages=("", spoken))).reason


@pytest.mark.parametrize("row", ROWS.strip().splitlines())
def test_what_speaks_against_it_is_seen_and_nothing_else(row: str) -> None:
    message, claim, against = map(str.strip, row.split("|"))
    reason = _judged(message, claim)
    found = [sign for sign in (DENIED, SUPPOSED, ASKED, OTHER) if sign in reason]
    assert found == ([against] if against else []), reason
