/** The quorum among sources: their order, and the answers that count. With real endpoints: solana-several.test.ts. */
import { describe, expect, test } from 'bun:test'
import { requireAgreement } from '../../../src/outside/chains/agreement.ts'
import { OutsideError, UnanswerableError } from '../../../src/outside/failure.ts'
import { faultOf } from './solana-chain.ts'

const outage = 'outage'

/** Sources that say these words, or nothing. The settings of those that were asked are kept in `asked`. */
function among(words: readonly string[], agree: number, voices = words.map((_, index) => `host ${index}`)) {
  const asked: string[] = []
  const sources = words.map((says, index) => ({ setting: `chains.x.rpc[${index}]`, voice: voices[index]!, says }))
  const answers = requireAgreement({
    chainName: 'x',
    sources,
    agree,
    async ask({ setting, says }) {
      asked.push(setting.slice(-2, -1))
      if (says !== outage) return says
      throw new OutsideError('unreachable', setting, 'is silent', 'wake it', Number(setting.slice(-2, -1)) + 3)
    },
    isSame: (one, other) => one === other,
  })
  return { asked, answers }
}

describe('agreement', () => {
  test.each<[string, readonly string[], number, string, string]>([
    ['one is enough', ['a', 'b'], 1, '0', '0'],
    ['the next follows one that is silent', [outage, 'a', 'b'], 1, '1', '01'],
    ['two of two', ['a', 'a', 'b'], 2, '01', '01'],
    ['one more for one that is silent', ['a', outage, 'a', 'a'], 2, '02', '012'],
    ['one more for one that differs', ['b', 'a', 'a', 'a'], 2, '12', '012'],
    ['one more, until two agree', ['a', 'b', 'c', 'd', 'b', 'b'], 2, '14', '01234'],
    ['two more for three of which each says something else', ['a', 'b', 'c', 'b', 'b', 'b'], 3, '134', '01234'],
  ])('%s', async (_, words, agree, agreed, expectedAsked) => {
    const { asked, answers } = among(words, agree)
    expect((await answers).map(({ source }) => source.setting.slice(-2, -1)).join('')).toBe(agreed)
    expect(asked.join('')).toBe(expectedAsked)
  })

  test.each<[string, readonly string[], string, string, string]>([
    ['counts one voice once, and asks the next voice', ['a', 'a', 'a'], 'xxy', '02', '02'],
    ['asks another of the voice when one of it is silent', [outage, 'a', 'a'], 'xxy', '21', '021'],
    ['lets a voice answer once, and not until it says what is wanted', ['b', 'a', 'a', 'a'], 'xxyz', '23', '023'],
  ])('%s', async (_, words, voices, agreed, expectedAsked) => {
    const { asked, answers } = among(words, 2, [...voices])
    expect((await answers).map(({ source }) => source.setting.slice(-2, -1)).join('')).toBe(agreed)
    expect(asked.join('')).toBe(expectedAsked)
  })

  test('among one source is never reached, however many endpoints it has', async () => {
    const { asked, answers } = among(['a', 'a', 'a'], 2, ['x', 'x', 'x'])
    expect(await faultOf(answers)).toMatchObject({
      fault: 'disagree',
      happened: 'has 1 endpoint that counts, and 2 must agree',
    })
    expect(asked.join('')).toBe('0')
  })

  test('is missed: the settings, the remedies and the shortest pause are named', async () => {
    expect(await faultOf(among([outage, 'a', outage], 2).answers)).toMatchObject({
      fault: 'unreachable',
      source: 'chains.x.rpc',
      happened: 'got 1 of 2 needed answers: chains.x.rpc[0]: is silent; chains.x.rpc[2]: is silent',
      mend: 'chains.x.rpc[0]: wake it; chains.x.rpc[2]: wake it',
      retryAfterSeconds: 3,
    })
  })

  test('cannot be reached on an undecidable question, which ends at once', async () => {
    const asked: number[] = []
    const answers = requireAgreement({
      chainName: 'x',
      sources: [0, 1].map((index) => ({ setting: `chains.x.rpc[${index}]`, voice: `host ${index}`, index })),
      agree: 1,
      async ask({ index }): Promise<string> {
        asked.push(index)
        throw new UnanswerableError('FUTURE', 'not yet')
      },
      isSame: () => true,
    })
    expect(await answers.catch((thrown: unknown) => thrown)).toBeInstanceOf(UnanswerableError)
    expect(asked).toEqual([0])
  })
})
