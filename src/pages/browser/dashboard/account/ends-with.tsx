/** Lists what ends together with a key, an app or a linked wallet, before it is revoked. */
import { endingWords as words } from '../../../words/en/account.ts'

export interface EndsWith {
  readonly delegations: number
  readonly agents: number
  readonly accessGrants: number
}

/** In plain words, such as "2 delegations to agents"; empty where nothing ends. */
export const listEnding = ({ delegations, agents, accessGrants }: EndsWith): string[] => [
  ...(delegations > 0 ? [words.delegations(delegations)] : []),
  ...(agents > 0 ? [words.agents(agents)] : []),
  ...(accessGrants > 0 ? [words.accesses(accessGrants)] : []),
]

/** For a dialog that asks whether to revoke. */
export function Ending({ what }: { readonly what: EndsWith }) {
  const lines = listEnding(what)
  if (lines.length === 0) return null
  return (
    <>
      <p>{words.title}</p>
      <ul aria-label={words.label}>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  )
}
