#!/usr/bin/env python3
"""Cuts the game's fonts out of Noto Sans CJK and Noto Serif CJK.

Run by tools/fonts.sh, which brings fonttools. Sans: ASCII, Latin-1, punctuation,
arrows, signs, all of GB 2312 level 1 (3,755 characters) and whatever the game's
own files use. Serif, for titles and banners: ASCII, Latin-1, words of titles, common
surnames, and whatever the game's own files use. Beside each a small Latin face, to
stand first in a list of fallbacks: in the Chinese one quotes, dots and ellipses are as
wide as a character. Prints the sizes and what a source font does not have.
"""

import pathlib
import sys

from fontTools import subset
from fontTools.pens.t2CharStringPen import T2CharStringPen

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / "assets" / "fonts"
# Where strings of the game stand. Missing folders are simply empty.
USED_IN = ["assets/locale", "assets/rules", "assets/maps", "assets/looks", "scenarios", "seeds", "mods"]
SIMPLIFIED = 2  # the face of the collection with mainland forms
NARROW = 1  # the face whose quotes and dots are as narrow as Latin ones

ASCII = "".join(map(chr, range(0x20, 0x7F)))
LATIN_1 = "".join(map(chr, range(0xA0, 0x100)))
PUNCTUATION = (
    "‐‑–—―‘’‚“”„†‡•…‰′″‹›※"
    "　、。〃々〇〈〉《》「」『』【】〔〕〖〗〜"
    "！＂＃＄％＆＇（）＊＋，－．／：；＜＝＞？＠［＼］＾＿｀｛｜｝～￥·"
    "０１２３４５６７８９"
)
# What is narrow in a Latin text and wide in a Chinese one.
LATIN_PUNCTUATION = "‐‑–—‘’‚“”„†‡•‰′″‹›"
ARROWS = "←↑→↓↔↕↖↗↘↙⇐⇒⇔⇦⇧⇨⇩⬅⬆⬇⮕"
SIGNS = (
    "■□▢▣▤▥▦▧▨▩▪▫▲△▶▷▼▽◀◁◆◇◉○◎●◐◑◒◓◦◢◣◤◥★☆☀☁☂✓❖⚠"
    "①②③④⑤⑥⑦⑧⑨⑩❶❷❸❹❺❻❼❽❾❿⌘⏎"
    "×÷±−≈≠≤≥∞√∴∵°²³½¼¾‰%"
    "─│┌┐└┘├┤┬┴┼━┃╱╲╳█▁▂▃▄▅▆▇▏▎▍▌▋▊▉░▒▓"
)
# Signs that Noto Sans CJK does not have are drawn by hand, as outlines in
# thousandths of an em: the mark of the third side, small triangles, a cross, and
# the keys of playback.
DRAWN = {
    "⬢": [[(500, 800), (846, 600), (846, 200), (500, 0), (154, 200), (154, 600)]],
    "⬡": [
        [(500, 800), (846, 600), (846, 200), (500, 0), (154, 200), (154, 600)],
        [(500, 720), (223, 560), (223, 240), (500, 80), (777, 240), (777, 560)],
    ],
    "▸": [[(320, 680), (720, 400), (320, 120)]],
    "◂": [[(680, 680), (680, 120), (280, 400)]],
    "▴": [[(500, 620), (780, 220), (220, 220)]],
    "▾": [[(220, 580), (780, 580), (500, 180)]],
    "✗": [[(230, 740), (500, 470), (770, 740), (840, 670), (570, 400), (840, 130), (770, 60),
           (500, 330), (230, 60), (160, 130), (430, 400), (160, 670)]],
    "⏵": [[(250, 760), (800, 400), (250, 40)]],
    "⏸": [[(220, 740), (400, 740), (400, 60), (220, 60)], [(600, 740), (780, 740), (780, 60), (600, 60)]],
    "⏩": [[(120, 740), (500, 400), (120, 60)], [(520, 740), (900, 400), (520, 60)]],
    "⏪": [[(480, 740), (480, 60), (100, 400)], [(880, 740), (880, 60), (500, 400)]],
    "⏮": [[(140, 740), (260, 740), (260, 60), (140, 60)], [(860, 740), (860, 60), (280, 400)]],
    "⏭": [[(140, 740), (720, 400), (140, 60)], [(740, 740), (860, 740), (860, 60), (740, 60)]],
    "⌛": [[(220, 760), (780, 760), (780, 690), (560, 400), (780, 110), (780, 40), (220, 40),
           (220, 110), (440, 400), (220, 690)]],
    "⚑": [[(220, 800), (290, 800), (290, 20), (220, 20)], [(310, 780), (820, 600), (310, 420)]],
}
# The hundred and more surnames of most people, and those of generals in the
# histories; a banner shows a surname, so a mod's captains find theirs here.
SURNAMES = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡"
    "贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷"
    "钱汤尹黎易常武乔贺赖龚文庞樊兰殷施陶洪翟安颜倪严牛温芦季俞章鲁葛伍韦申尤毕聂丛焦向柳邢路"
    "岳齐沿梅莫庄辛管祝左涂谷祁时舒耿牟卜路詹关苗凌费纪靳盛童欧甄项曲成游阳裴席卫查屈鲍位覃霍"
    "翁隋植甘景薄单包司柏宁柯阮桂闵解强柴华车冉房边净阴闫佘练肖付仇褚娄窦岑宫费商古全班仰秋仲伊"
    "宰卞郦雍郤璩桑濮寿通扈燕冀浦尚农温别晏柴瞿充慕连茹习宦艾鱼容慎戈庾终暨居衡步都满弘匡国寇广"
    "禄阙东殳沃利蔚越夔隆师巩厍聂晁勾敖融冷訾阚那简饶空毋沙养鞠须丰巢蒯相荆红竺权逯盖益桓公独孤"
    "诸葛司马欧阳上官夏侯皇甫尉迟公孙慕容令狐宇文长孙鲜于拓跋淳于单于太叔申屠仲孙轩辕钟离澹台宗政"
    "濮阳端木呼延乙支渊盖高朴崔阿史那契苾执失屈突豆卢贺若斛律尔朱侯莫陈达奚贺拔"
)

# Words that titles are made of, whatever the files use today.
TITLES = (
    "九门零一二三四五六七八九十百千万第初再末前后左右上中下东西南北春夏秋冬日夜晨昏"
    "战役攻守城池围破入出击退援救夺取陷保卫反突奇袭火水山河江海桥梁渡口关隘营寨楼台塔墙壕"
    "军兵将帅骑步弓弩车炮船粮旗鼓金令符印王帝侯国家天地人马龙虎胜负和平简报复盘图例设置模组"
    "典故编年记录手册教程新旧继续返回选择开始结束昼黎明黄昏子丑寅卯辰巳午未申酉戌亥更时刻"
)


def gb2312_level_1():
    for row in range(0xB0, 0xD8):
        for cell in range(0xA1, 0xFF):
            try:
                yield bytes((row, cell)).decode("gb2312")
            except UnicodeDecodeError:
                pass  # row 55 ends early


def used():
    characters = set()
    for folder in USED_IN:
        for file in sorted((ROOT / folder).rglob("*")):
            if file.is_file() and file.suffix in (".ftl", ".ron", ".json", ".txt", ".md"):
                characters.update(file.read_text(encoding="utf-8"))
    return {c for c in characters if c.isprintable()}


def draw(font):
    """Puts the drawn signs over glyphs of the same width that nothing here uses."""
    cff = font["CFF "].cff
    glyphs = cff[0].CharStrings
    have = font.getBestCmap()
    # A full-width sign outside of what is kept lends each drawn one its glyph.
    lenders = (chr(c) for c in range(0x2FF0, 0x2FFC) if c in have)
    spare = list(lenders) + [chr(c) for c in range(0x3220, 0x3244) if c in have]
    for (sign, outlines), lender in zip(DRAWN.items(), spare, strict=False):
        name = have[ord(lender)]
        width = font["hmtx"][name][0]
        pen = T2CharStringPen(width, None)
        for outline in outlines:
            pen.moveTo(outline[0])
            for point in outline[1:]:
                pen.lineTo(point)
            pen.closePath()
        old = glyphs[name]
        drawn = pen.getCharString(private=old.private, globalSubrs=old.globalSubrs)
        # The width stands in the font's private part when it is the default one.
        if width == old.private.defaultWidthX:
            drawn.program = drawn.program if drawn.program[0] != width else drawn.program[1:]
        elif drawn.program and drawn.program[0] == width:
            drawn.program[0] = width - old.private.nominalWidthX
        glyphs[name] = drawn
        for table in font["cmap"].tables:
            if table.isUnicode():
                table.cmap[ord(sign)] = name
                table.cmap.pop(ord(lender), None)


def cut(source, face, characters, out):
    options = subset.Options()
    options.font_number = face
    options.hinting = False
    options.layout_features = ["kern", "liga", "ccmp", "locl", "mark", "mkmk"]
    options.drop_tables += ["DSIG", "vhea", "vmtx", "VORG"]
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 7, 13, 14]
    font = subset.load_font(str(source), options)
    if set(DRAWN) <= characters:
        draw(font)
    have = font.getBestCmap()
    lacking = sorted(c for c in characters if ord(c) not in have)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=[ord(c) for c in characters])
    cutter.subset(font)
    subset.save_font(font, str(out), options)
    kept = len(characters) - len(lacking)
    print(f"{out.relative_to(ROOT)}: {kept} characters, {out.stat().st_size / 1e6:.2f} MB")
    if lacking:
        print("  not in the source font: " + " ".join(f"{c} U+{ord(c):04X}" for c in lacking))


def main():
    if len(sys.argv) != 2:
        sys.exit("Usage: tools/fonts.py FOLDER_OF_NOTO_CJK (or run tools/fonts.sh)")
    noto = pathlib.Path(sys.argv[1])
    OUT.mkdir(parents=True, exist_ok=True)
    own = used()
    sans = set(DRAWN) | set(ASCII + LATIN_1 + PUNCTUATION + ARROWS + SIGNS + SURNAMES) | set(gb2312_level_1()) | own
    serif = set(ASCII + LATIN_1 + PUNCTUATION + SURNAMES + TITLES) | own
    print(f"{len(own)} characters are used in {', '.join(USED_IN)}.")
    latin = set(ASCII + LATIN_1 + LATIN_PUNCTUATION)
    cut(noto / "NotoSansCJK-Regular.ttc", SIMPLIFIED, sans, OUT / "NotoSansSC-game.otf")
    cut(noto / "NotoSansCJK-Regular.ttc", NARROW, latin, OUT / "NotoSansLatin-game.otf")
    # Titles stand large and on pigment: the bold cut carries better there.
    cut(noto / "NotoSerifCJK-Bold.ttc", SIMPLIFIED, serif, OUT / "NotoSerifSC-game.otf")
    cut(noto / "NotoSerifCJK-Bold.ttc", NARROW, latin, OUT / "NotoSerifLatin-game.otf")



if __name__ == "__main__":
    main()
