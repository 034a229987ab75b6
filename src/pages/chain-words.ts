/** Chains in the words of people: the name, and the id beside it. Runs in browsers, too. */

/** By CAIP-2 id. The server sends them with the page. */
export type ChainNames = Readonly<Record<string, string>>

/** `eip155:84532` → `Base Sepolia (eip155:84532)`. Other texts stay as they are. */
export function describeChain(chain: string, names: ChainNames): string {
  const name = findName(chain, names)
  return name === undefined ? chain : `${name} (${chain})`
}

/** `84532` → `Base Sepolia (84532)`, for an EIP-155 chain. */
export function describeChainId(chainId: string | number, names: ChainNames): string {
  const name = findName(`eip155:${chainId}`, names)
  return name === undefined ? String(chainId) : `${name} (${chainId})`
}

function findName(chain: string, names: ChainNames): string | undefined {
  const name = Object.hasOwn(names, chain) ? names[chain] : undefined
  return name === chain ? undefined : name
}
