/** The author of the examples lists a wallet, which then takes its pass. */
import { type ExampleSource, makeExampleAnswer, story } from '../../http/example.ts'
import { exampleSigned } from '../examples.ts'

const { gateId, qHash, time, wallet } = story

/** By operationId. */
export const guestExamples = {
  listGuests: {
    params: { gateId },
    response: makeExampleAnswer({
      gateId,
      guests: [{ wallet: wallet.toLowerCase(), addedAt: time }],
      totalCount: 1,
      next: null,
    }),
  },
  changeGuests: {
    params: { gateId },
    request: { add: `${wallet.toLowerCase()}\n`, ...exampleSigned },
    response: makeExampleAnswer({ gateId, added: 1, removed: 0, duplicates: 0, stillListed: 0, totalCount: 1 }),
  },
  takeGatePass: {
    params: { gateId },
    request: { ...exampleSigned },
    response: makeExampleAnswer({ gateId, qHash, status: 'valid', walletAddress: wallet.toLowerCase() }),
  },
} as const satisfies Readonly<Record<string, ExampleSource>>
