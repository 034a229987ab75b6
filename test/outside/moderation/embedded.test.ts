import { describe, expect, test } from 'bun:test'
import { textMaxBytes } from '../../../src/outside/moderation/moderation.ts'
import { openedModerator } from './opened.ts'

describe('the embedded word list', async () => {
  const embedded = await openedModerator('embedded')
  const judge = (text: string) => embedded.judge({ kind: 'text', text })
  const isFlagged = async (text: string) => (await judge(text)).isFlagged

  test('names itself, and the one category that it checks', async () => {
    expect(await judge('A sunny day.')).toEqual({
      model: 'allprofanity 2.4.0 (English)',
      isFlagged: false,
      categories: { profanity: false },
      scores: {},
      source: 'moderation.text',
    })
    expect(await judge('What the fuck.')).toEqual({
      model: 'allprofanity 2.4.0 (English)',
      isFlagged: true,
      categories: { profanity: true },
      scores: {},
      source: 'moderation.text',
    })
  })

  test.each([
    ['plain', 'Well, shit.'],
    ['in capitals', 'WELL, SHIT.'],
    ['with dots', 'f.u.c.k'],
    ['with spaces', 'f u c k'],
    ['masked', 'f*ck'],
    ['with digits', 'sh1t'],
    ['with signs', 'a$$hole'],
    ['stretched', 'fuuuuuck'],
    ['inside a made-up word', 'totalshitshow'],
    ['with a zero width space', 'fu\u200bck'],
    ['with an invisible separator', 'fu\u2063ck'],
    ['with a direction mark', 'fu\u200eck'],
    ['with a variation selector', 'fu\ufe0fck'],
    ['with a soft hyphen', 'fu\u00adck'],
    ['with tag characters', 'fu\u{e0020}ck'],
    ['in full width', 'ｆｕｃｋ'],
    ['in mathematical letters', '𝖋𝖚𝖈𝖐'],
    ['in circled letters', 'ⓕⓤⓒⓚ'],
    ['with Greek and Cyrillic look-alikes', 'fυck the bаstard'],
    ['with accents', 'fück'],
    ['with combining accents', 'fu\u0308ck'],
    ['behind letters that grow in lower case', 'İİ ass'],
    ['in digits beside a sign', 'a$5'],
    ['in Markdown', '# Title\n\n- one\n- **shit**\n'],
    ['in Markdown with an escaped star', 'f\\*ck'],
    ['in JSON', '{"comment":"you bastard"}'],
    ['in JSON with escapes', '{"comment":"\\u0066uck"}'],
    ['in JSON behind an escaped line break', '{"comment":"one\\nass"}'],
    ['in XML', '<p>shit</p>'],
    ['in XML with character references', '<p>&#102;&#x75;ck</p>'],
    ['among other scripts', 'Доброе утро, 你好, shit, สวัสดี'],
    ['at the very end of a long text', `${'A quiet sentence. '.repeat(2800)}shit`],
  ])('flags a listed word: %s', async (_, text) => {
    expect(await isFlagged(text)).toBe(true)
  })

  test.each([
    ['plain', 'The quick brown fox jumps over the lazy dog.'],
    ['words that contain listed ones', 'Scunthorpe is a classic assignment for the bass class, said Hancock.'],
    ['words of the Hindi list that are English', 'Laura has a car for sale.'],
    ['numbers that read as words', 'Page 455 of 8008, room 717, (455), $455, 455%, 0x455, é455'],
    ['Roman numerals and crosses', 'Louis XX of the XX century, love, Anna xxx'],
    ['Markdown', '# Heading\n\n**Bold**, `code()`, [a link](https://example.com/a_b?c=1#d)\n\n| a | b |\n|---|---|\n'],
    ['JSON', '{"name":"Ada","born":1815,"tags":["math","x\\n\\u00e9"],"path":"C:\\\\new"}'],
    ['XML', '<?xml version="1.0"?><a b="c">d &amp; e &#169; &#9999999; &#xFFFFFF;</a>'],
    ['an address and a price', 'tim@example.com pays $5, 5% off, in c# (or f#)'],
    ['German', 'Der Junge fährt mit dem Boot über den See.'],
    ['Russian', 'Съешь же ещё этих мягких французских булок, да выпей чаю.'],
    ['Greek', 'Η γρήγορη καφέ αλεπού πηδάει πάνω από το σκυλί.'],
    ['Chinese', '天地玄黃,宇宙洪荒。'],
    ['Arabic', 'صباح الخير يا صديقي'],
    ['Hindi', 'नमस्ते दुनिया'],
    ['emoji of several code points', '👩‍👩‍👧‍👦 🏳️‍🌈'],
    ['half a surrogate pair', 'a\ud800b'],
  ])('passes: %s', async (_, text) => {
    expect(await isFlagged(text)).toBe(false)
  })

  test.each([
    ['one letter', 'a', false],
    ['stems that are part of a word', 'scunthorpe', true],
    ['nearly words', 'motherfucke', true],
    ['masks', 'a*', false],
    ['masked words', 's**t ', true],
    ['separated letters', 'a.', false],
    ['separators that change', 'a b-c_', false],
    ['signs that stand for letters', '()_|/\\', false],
    ['numbers that read as words', '455 ', false],
    ['escapes', '\\u0061', false],
    ['escapes that are none', '\\u00', false],
    ['character references', '&#97;', false],
    ['character references that are none', '&#x', false],
    ['characters that nobody sees', '\u200b', false],
    ['a ligature that stands for eighteen characters', '\ufdfa', false],
    ['accents', 'a\u0301', false],
    ['listed words', 'ass ', true],
  ])('reads 51,200 bytes of %s', async (_, piece, found) => {
    const text = piece.repeat(Math.floor(textMaxBytes / Buffer.byteLength(piece)))
    expect(await isFlagged(text)).toBe(found)
  })

  test('judges many at once', async () => {
    const fresh = await openedModerator('embedded')
    const verdicts = await Promise.all(
      Array.from({ length: 20 }, (_, index) => fresh.judge({ kind: 'text', text: index % 2 === 0 ? 'fine' : 'shit' })),
    )
    expect(verdicts.map((verdict) => verdict.isFlagged)).toEqual(
      Array.from({ length: 20 }, (_, index) => index % 2 === 1),
    )
  })
})
