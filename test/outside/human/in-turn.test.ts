import { describe, expect, test } from 'bun:test'
import { OutsideError } from '../../../src/outside/failure.ts'
import { makeTurns } from '../../../src/outside/human/in-turn.ts'
import { findScope, runInScope } from '../../../src/request-scope.ts'

test('pieces come one after the other, with others served in between, and fail alone', async () => {
  const seen: string[] = []
  const oneByOne = makeTurns('human.semaphore', 3)
  const piece = (name: string) =>
    oneByOne(async () => {
      seen.push(`${name} begins`)
      await Promise.resolve()
      seen.push(`${name} ends`)
      if (name === 'b') throw new Error('b fails')
      return name
    })
  const answers = Promise.allSettled([piece('a'), piece('b'), piece('c')])
  setImmediate(() => seen.push('somebody else'))
  expect((await answers).map((answer) => ('value' in answer ? answer.value : String(answer.reason)))).toEqual([
    'a',
    'Error: b fails',
    'c',
  ])
  expect(seen.filter((line) => line !== 'somebody else')).toEqual([
    'a begins',
    'a ends',
    'b begins',
    'b ends',
    'c begins',
    'c ends',
  ])
  expect(seen.indexOf('somebody else')).toBeLessThan(seen.indexOf('b begins'))
})

test('calls beyond the queue limit are refused, until it has room again', async () => {
  const oneByOne = makeTurns('human.semaphore', 2)
  const answers = await Promise.allSettled([1, 2, 3].map((number) => oneByOne(() => number)))
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  const { reason } = answers[2] as PromiseRejectedResult
  expect(reason).toBeInstanceOf(OutsideError)
  expect(reason).toMatchObject({ fault: 'rate-limited', source: 'human.semaphore' })
  expect(await oneByOne(() => 4)).toBe(4)
})

describe('when all places are taken', () => {
  const from = <T>(network: string, work: () => T): T =>
    runInScope(() => {
      findScope()!.network = network
      return work()
    })
  const outcomes = async (networks: string) => {
    const oneByOne = makeTurns('human.semaphore', 4)
    const answers = await Promise.allSettled(
      [...networks].map((network) => from(network, () => oneByOne(() => network))),
    )
    return answers.map(({ status }) => (status === 'fulfilled' ? 'y' : 'n')).join('')
  }

  test.each([
    ['one network alone has all of them', 'aaaaaa', 'yyyynn'],
    ['the newest of the network with the most gives way', 'aaaab', 'yyyny'],
    ['until both have the same', 'aaaabbb', 'yynnyyn'],
    ['a third one takes one of the largest', 'aaabc', 'yynyy'],
    ['nobody with one place loses it', 'abcde', 'yyyyn'],
  ])('%s', async (_, networks, expected) => expect(await outcomes(networks)).toBe(expected))
})
