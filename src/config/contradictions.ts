/** What no single setting says wrongly, and two of them say together. Asked only when each is right by itself. */
import type { Path, Values } from './outline.ts'

export interface Contradiction {
  readonly path: Path
  /** What is wrong and what would mend it, as one sentence without the name of the setting. */
  readonly problem: string
}

interface ChainTable {
  readonly chain: string
  readonly rpc: readonly string[]
  readonly agree: number
}

/** Of values that were found right, in the names of the file. */
export function contradictionsIn({ chains }: Values): Contradiction[] {
  const entries = Object.entries(chains as Record<string, ChainTable>)
  return entries.flatMap(([name, { chain, rpc, agree }], position) => {
    const earlier = entries.slice(0, position).find(([, other]) => other.chain === chain)?.[0]
    return [
      ...(agree > rpc.length
        ? [
            {
              path: ['chains', name, 'agree'],
              problem: `${agree} endpoints cannot agree where rpc has ${rpc.length}: add addresses to rpc, or lower agree`,
            },
          ]
        : []),
      ...(earlier === undefined
        ? []
        : [
            {
              path: ['chains', name, 'chain'],
              problem: `chains.${earlier} is ${chain} already: put the addresses of both into one rpc`,
            },
          ]),
    ]
  })
}
