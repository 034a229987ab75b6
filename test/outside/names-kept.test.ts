/** How many names are asked, for how long, and what is told when a chain fails. The chain is told what to answer. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { encodeFunctionResult, type Hex, parseAbi, toFunctionSelector } from 'viem'
import type { BlockView, Call, CallOutcome, EvmChain } from '../../src/outside/chains/chain.ts'
import { OutsideError } from '../../src/outside/failure.ts'
import { mostAddresses, openNames } from '../../src/outside/names/ens.ts'

setDefaultTimeout(30_000)

const abi = parseAbi([
  'function reverseWithGateways(bytes reverseName, uint256 coinType, string[] gateways) view returns (string, address, address)',
])
const reverse = toFunctionSelector(abi[0])
const nowhere = `0x${'0'.repeat(40)}` as const
const noName: CallOutcome = {
  returned: encodeFunctionResult({ abi, result: ['', nowhere, nowhere] }),
}
const nameAddress = (number: number): Hex => `0x${number.toString(16).padStart(40, '0')}`
const listAddresses = (count: number, from = 1): Hex[] =>
  Array.from({ length: count }, (_, at) => nameAddress(from + at))
const makeFailure = () => new OutsideError('timeout', 'chains', 'did not answer', 'look at the endpoint')

/** `answer` gets the address that is looked up. */
function openStage(answer: (address: Hex) => CallOutcome | Promise<CallOutcome> = () => noName) {
  let now = 1_767_225_600_000
  const calls: Call[] = []
  const readAsked = (): Hex[] =>
    calls.filter(({ data }) => data.startsWith(reverse)).map(({ data }) => findAddress(data))
  const view = {
    async call(call: Call) {
      calls.push(call)
      return answer(findAddress(call.data))
    },
  } as BlockView
  const chain = { at: async () => view } as EvmChain
  const names = openNames({ evm: () => chain }, () => now)!
  const wait = (ms: number): void => {
    now += ms
  }
  return { names, calls, readAsked, wait }
}

/** The bytes after the selector, the three offsets, and the length. */
const findAddress = (data: Hex): Hex => `0x${data.slice(2 + 8 + 4 * 64).slice(0, 40)}`

describe('a look-up of names', () => {
  test('asks for a bounded number of addresses, each once, and tells no more', async () => {
    const { names, readAsked } = openStage()
    const many = listAddresses(mostAddresses + 5)
    const found = await names.find([many[0]!, ...many])
    expect(readAsked()).toEqual(many.slice(0, mostAddresses))
    expect([...found.keys()]).toEqual(many.slice(0, mostAddresses))
  })

  test('says that strangers chose what the contract is asked', async () => {
    const { names, calls } = openStage()
    await names.find(listAddresses(3))
    expect(calls.map(({ isDataOfStranger }) => isDataOfStranger)).toEqual([true, true, true])
  })

  test('keeps a bounded number of answers, and forgets the oldest', async () => {
    const { names, readAsked } = openStage()
    for (let from = 1; from <= 5000; from += mostAddresses) await names.find(listAddresses(mostAddresses, from))
    expect(readAsked()).toHaveLength(5000)
    await names.find(listAddresses(1))
    expect(readAsked()).toHaveLength(5000)
    await names.find([nameAddress(5001)])
    await names.find([nameAddress(1)])
    expect(readAsked().slice(5000)).toEqual([nameAddress(5001), nameAddress(1)])
  })

  test('ends when a chain never answers, and tells what it knows', async () => {
    const [first, second] = listAddresses(2) as [Hex, Hex]
    const never = new Promise<CallOutcome>(() => {})
    const { names } = openStage((address) => (address === second ? never : noName))
    expect([...(await names.find([first, second]))]).toEqual([[first, null]])
  })

  test('tells the other addresses when one fails, and asks nobody for half a minute', async () => {
    const [first, second, third] = listAddresses(3) as [Hex, Hex, Hex]
    let isDown = true
    const { names, readAsked, wait } = openStage(async (address) => {
      if (address !== second || !isDown) return noName
      await Bun.sleep(1)
      throw makeFailure()
    })
    expect([...(await names.find([first, second]))]).toEqual([[first, null]])
    isDown = false
    wait(29_999)
    expect([...(await names.find([first, third]))]).toEqual([[first, null]])
    expect(readAsked()).toEqual([first, second])
    wait(1)
    expect([...(await names.find([first, second, third]))].map(([address]) => address)).toEqual([first, second, third])
    expect(readAsked()).toEqual([first, second, second, third])
  })

  test('hides no fault of our own', async () => {
    const { names } = openStage(() => {
      throw new TypeError('a fault of ours')
    })
    await expect(names.find(listAddresses(1))).rejects.toThrow('a fault of ours')
  })
})
