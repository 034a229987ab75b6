/** Lists what ends together with a key, an app or a linked wallet, before it is revoked. */

export interface EndsWith {
  readonly delegations: number
  readonly agents: number
  readonly accessGrants: number
}

const formatCount = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

/** In plain words, such as "2 delegations to agents"; empty where nothing ends. */
export const listEnding = ({ delegations, agents, accessGrants }: EndsWith): string[] => [
  ...(delegations > 0 ? [formatCount(delegations, 'delegation to an agent', 'delegations to agents')] : []),
  ...(agents > 0 ? [formatCount(agents, 'agent that it set up', 'agents that it set up')] : []),
  ...(accessGrants > 0 ? [formatCount(accessGrants, 'access to a private proof', 'accesses to private proofs')] : []),
]

/** For a dialog that asks whether to revoke. */
export function Ending({ what }: { readonly what: EndsWith }) {
  const words = listEnding(what)
  if (words.length === 0) return null
  return (
    <>
      <p>What it made ends with it, and does not come back:</p>
      <ul aria-label="What ends with it">
        {words.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  )
}
