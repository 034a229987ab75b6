/** A data folder beside a configuration by which its server takes a token on a chain. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Paid {
  readonly rpc: string
  readonly token: string
  /** Lines of the table of the chain. */
  readonly chain?: readonly string[]
  /** Lines of the token's table, and of those after it. */
  readonly payment: readonly string[]
}

/** The data folder in `folder`. */
export function makePaidFolder(folder: string, { rpc, token, chain = [], payment }: Paid): string {
  const data = join(folder, 'data')
  mkdirSync(data)
  writeFileSync(
    join(folder, 'proofgate.toml'),
    [
      // Receipts name it: answers of two starts, on two ports, must be the same.
      'base_url = "https://gates.example"',
      '[chains.base]',
      'chain = "eip155:8453"',
      `rpc = ["${rpc}"]`,
      ...chain,
      '[payments.stablecoin.usdc]',
      'chain = "eip155:8453"',
      `token = "${token}"`,
      ...payment,
    ].join('\n'),
  )
  return data
}
