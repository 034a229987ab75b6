/**
 * startAnvil(): a real EVM chain for one test file, as a process that ends with it. Blocks begin where the clock of
 * startApp() begins, so that the app finds them neither stale nor early.
 */
import { existsSync } from 'node:fs'
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  defineChain,
  type Hex,
  http,
  type PublicClient,
  type TestClient,
  type TransactionReceipt,
  type WalletClient,
} from 'viem'
import { mnemonicToAccount, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { startOfTime } from '../app.ts'

export interface AnvilSettings {
  readonly chainId: number
  /** Unix seconds of block 0. The clock runs from there in real time, so blocks are at most as old as the test is. */
  readonly timestamp?: number
  /** More flags of anvil, such as `--no-mining` or `--gas-limit`. */
  readonly args?: readonly string[]
}

export interface AnvilAccount {
  readonly address: Hex
  readonly privateKey: Hex
  /** Signs by itself; anvil signs for the address as well. */
  readonly account: PrivateKeyAccount
}

export interface Anvil {
  readonly url: string
  readonly chainId: number
  /** Each has 10000 ether. The first one pays for deployments of the tests. */
  readonly accounts: readonly [AnvilAccount, AnvilAccount, AnvilAccount, AnvilAccount]
  readonly publicClient: PublicClient
  readonly walletClient: WalletClient
  readonly testClient: TestClient
  /** A transaction of the first account, and its receipt. Several may be sent at once: they are put in a row. */
  send(transaction: { readonly to?: Hex; readonly data?: Hex; readonly value?: bigint }): Promise<TransactionReceipt>
  /** Any JSON-RPC method, `anvil_…` and `evm_…` included. Throws when the node refuses. */
  rpc(method: string, params?: readonly unknown[]): Promise<unknown>
  stop(): Promise<void>
}

const endsWithUs = existsSync('/usr/bin/setpriv') ? ['/usr/bin/setpriv', '--pdeathsig', 'KILL'] : []

function findAnvil(): string {
  const installed = new URL('../../node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil', import.meta.url).pathname
  const found = process.env.ANVIL ?? (existsSync(installed) ? installed : Bun.which('anvil'))
  if (found) return found
  throw new Error(
    'anvil is missing, and these tests mean nothing without a chain. `npm install` brings it on Linux x64; elsewhere install Foundry (https://getfoundry.sh), or name the binary in ANVIL.',
  )
}

export async function startAnvil({
  chainId,
  timestamp = startOfTime / 1000,
  args = [],
}: AnvilSettings): Promise<Anvil> {
  const flags = ['--host', '127.0.0.1', '--port', '0', '--chain-id', String(chainId), '--timestamp', String(timestamp)]
  const child = Bun.spawn([...endsWithUs, findAnvil(), ...flags, '--color', 'never', ...args], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const url = `http://${await addressIn(child.stdout, child.stderr)}`

  const chain = defineChain({
    id: chainId,
    name: `anvil ${chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  })
  const transport = http(url, { retryCount: 0 })
  const publicClient = createPublicClient({ chain, transport, cacheTime: 0, pollingInterval: 20 })
  const walletClient = createWalletClient({ chain, transport, account: accounts[0].account })
  // Two transactions that are prepared at the same moment get the same nonce.
  let turn: Promise<unknown> = Promise.resolve()
  return {
    url,
    chainId,
    accounts,
    publicClient,
    walletClient,
    testClient: createTestClient({ chain, transport, mode: 'anvil' }),
    send(transaction) {
      const sent = turn.then(() => walletClient.sendTransaction(transaction as never))
      turn = sent.catch(() => undefined)
      return sent.then((hash) => publicClient.waitForTransactionReceipt({ hash }))
    },
    rpc: (method, params = []) => publicClient.request({ method, params } as never),
    async stop() {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

/** Waits for the line that names the port, and reads on, so that anvil never waits for a full pipe. */
async function addressIn(stdout: ReadableStream<Uint8Array>, stderr: ReadableStream<Uint8Array>): Promise<string> {
  const said: string[] = []
  return new Promise((resolve, reject) => {
    const read = async (): Promise<void> => {
      const decoder = new TextDecoder()
      let isListening = false
      for await (const bytes of stdout) {
        if (isListening) continue
        said.push(decoder.decode(bytes))
        const address = /Listening on (\S+:\d+)\s/.exec(said.join(''))?.[1]
        if (!address) continue
        isListening = true
        resolve(address)
      }
      reject(new Error(`anvil ended: ${await new Response(stderr).text()}`))
    }
    read().catch(reject)
  })
}

/** The accounts that anvil makes by itself, of the mnemonic that everybody knows. */
const root = mnemonicToAccount('test test test test test test test test test test test junk', {
  path: `m/44'/60'/0'/0`,
}).getHdKey()

function accountAt(index: number): AnvilAccount {
  const privateKey: Hex = `0x${Buffer.from(root.deriveChild(index).privateKey!).toString('hex')}`
  const account = privateKeyToAccount(privateKey)
  return { address: account.address, privateKey, account }
}

const accounts = [accountAt(0), accountAt(1), accountAt(2), accountAt(3)] as const
