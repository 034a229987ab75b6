/**
 * The examples of the API description are one story: a claim from its text to its erasure, by route. A test sends each
 * request at its signature time and compares the answers, so that the examples stay true.
 */

export interface Example {
  readonly request?: object
  /** Parameters of the path, by name. */
  readonly params?: Readonly<Record<string, string>>
  /** Parameters of the query, by name. */
  readonly query?: Readonly<Record<string, string>>
  readonly response: object
}

/** A function where the example names the address of the server. */
export type ExampleSource = Example | ((baseUrl: string) => Example)

/** 2026-01-01T00:00:00.000Z. A signed example that is sent today is refused, because its signature has expired. */
const time = 1_767_225_600_000
const wallet = '0x2682F1afA9e879dCeA444D8d93895c4bCbf55076'
const address = wallet.toLowerCase()
const chainId = 84532

/** The persons and things in the examples. */
export const story = {
  time,
  timestamp: new Date(time).toISOString(),
  /** The author, as its wallet spells it. */
  wallet,
  address,
  chainId,
  did: `did:pkh:eip155:${chainId}:${address}`,
  /** The proof that the author makes. */
  qHash: '0xc99b80e3508fb6cf5f8712d4de8ec2dc3594328653830ce4946453833922e956',
  /** The gate that the author opens. */
  gateId: 'authors',
} as const

export const makeExampleAnswer = (data: object): object => ({ success: true, data, timestamp: story.timestamp })
