/**
 * startLyingRpc(): an endpoint in front of a real node that tells the truth until a test makes it lie. It passes on the
 * node's own answers, changed only by the lies below, each seen in the wild.
 */

interface Asked {
  readonly id: unknown
  readonly method: string
  readonly params: readonly unknown[]
}

// biome-ignore lint/suspicious/noExplicitAny: a result of every shape is changed
type Result = any

interface HonestAnswer {
  readonly id: unknown
  readonly result?: Result
}

/**
 * Answers instead of the node, or with undefined stays out of it. `honest` asks the node, with other parameters if need
 * be, and gives the whole envelope.
 */
export type Lie = (
  asked: Asked,
  honest: (params?: readonly unknown[]) => Promise<HonestAnswer>,
) => Promise<Response | undefined> | Response | undefined

export interface LyingRpc {
  readonly url: string
  /** Methods in the order in which they were asked. */
  readonly asked: readonly string[]
  /** Replaces the lies told so far. */
  lie(...lies: readonly Lie[]): void
  tellTheTruth(): void
  forgetAsked(): void
  /** Passes requests on to another node from now on, as a misconfigured gateway does. */
  moveTo(nodeUrl: string): void
  stop(): Promise<void>
}

export function startLyingRpc(nodeUrl: string): LyingRpc {
  let node = nodeUrl
  let lies: readonly Lie[] = []
  const asked: string[] = []

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const question = (await request.json()) as Asked
      asked.push(question.method)
      const askNode = (params = question.params) =>
        fetch(node, { method: 'POST', headers, body: JSON.stringify({ ...question, params }) })
      for (const lie of lies) {
        const answer = await lie(question, async (params) => (await askNode(params)).json() as Promise<HonestAnswer>)
        if (answer) return answer
      }
      return new Response(await (await askNode()).text(), { headers })
    },
  })

  return {
    url: `http://127.0.0.1:${server.port}`,
    asked,
    lie(...told) {
      lies = told
    },
    tellTheTruth() {
      lies = []
    },
    forgetAsked() {
      asked.length = 0
    },
    moveTo(url) {
      node = url
    },
    stop: () => server.stop(true),
  }
}

const headers = { 'content-type': 'application/json' }
const json = (body: unknown): Response => Response.json(body)
const isAbout = (methods: readonly string[], { method }: Asked): boolean =>
  methods.length === 0 || methods.includes(method)
const quantity = (number: number | bigint): string => `0x${number.toString(16)}`

/** Without methods a lie is told about every one. */
export const lies = {
  /** Says something else than the node's result. */
  result:
    (method: string, change: (result: Result) => unknown): Lie =>
    async (asked, honest) => {
      if (asked.method !== method) return undefined
      const { id, result } = await honest()
      return json({ jsonrpc: '2.0', id, result: change(result) })
    },
  error:
    (code: number, message: string, methods: readonly string[] = [], data?: unknown): Lie =>
    (asked) =>
      isAbout(methods, asked) ? json({ jsonrpc: '2.0', id: asked.id, error: { code, message, data } }) : undefined,
  /** The same error, but only the first time. */
  errorOnce(code: number, message: string, methods: readonly string[]): Lie {
    let told = false
    return (asked) => {
      if (told || !isAbout(methods, asked)) return undefined
      told = true
      return json({ jsonrpc: '2.0', id: asked.id, error: { code, message } })
    }
  },
  body:
    (text: string, ...methods: readonly string[]): Lie =>
    (asked) =>
      isAbout(methods, asked) ? new Response(text, { headers }) : undefined,
  /** Members of the envelope replaced: another id, another version. */
  envelope:
    (members: object, ...methods: readonly string[]): Lie =>
    async (asked, honest) =>
      isAbout(methods, asked) ? json({ ...(await honest()), ...members }) : undefined,
  status:
    (status: number, ...methods: readonly string[]): Lie =>
    (asked) =>
      isAbout(methods, asked) ? new Response('no', { status }) : undefined,
  hangs:
    (...methods: readonly string[]): Lie =>
    (asked) =>
      isAbout(methods, asked) ? new Promise<never>(() => {}) : undefined,

  chainId: (chainId: number): Lie => lies.result('eth_chainId', () => quantity(chainId)),
  html: (...methods: readonly string[]): Lie => lies.body('<html><body>It works!</body></html>', ...methods),
  halfDocument: (...methods: readonly string[]): Lie => lies.body('{"jsonrpc":"2.0","id":1,"resu', ...methods),
  huge: (megabytes: number, ...methods: readonly string[]): Lie =>
    lies.body(`{"jsonrpc":"2.0","id":1,"result":"0x${'00'.repeat(megabytes * 512 * 1024)}"}`, ...methods),
  balance: (wei: bigint): Lie => lies.result('eth_getBalance', () => quantity(wei)),
  /** Blocks of a branch that no other endpoint has. */
  blockHash: (hash: string): Lie =>
    lies.result('eth_getBlockByNumber', (block) => (block === null ? null : { ...block, hash })),
  /** Its newest block is so much older. */
  olderBlocks: (seconds: number): Lie =>
    lies.result('eth_getBlockByNumber', (block) =>
      block === null ? null : { ...block, timestamp: quantity(BigInt(block.timestamp) - BigInt(seconds)) },
    ),
  /** A node from before EIP-1898: it takes a number or a word as block, and no object. */
  noBlockHash:
    (code = -32602, message = 'invalid argument 1: json: cannot unmarshal object into Go value of type string'): Lie =>
    (asked) => {
      const block = asked.params.at(-1)
      const isByHash = typeof block === 'object' && block !== null && 'blockHash' in block
      return isByHash ? json({ jsonrpc: '2.0', id: asked.id, error: { code, message } }) : undefined
    },
  /** Behind the others: knows no block above that number, as a node that catches up. */
  behind:
    (newest: number): Lie =>
    async (asked, honest) => {
      if (asked.method !== 'eth_getBlockByNumber') return undefined
      const [wanted] = asked.params
      if (wanted === 'latest') return json(await honest([quantity(newest), false]))
      return Number(wanted) > newest ? json({ ...(await honest()), result: null }) : undefined
    },
}
