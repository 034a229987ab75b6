/** Shows the call of the tool verify for the missing proof, and the data that the tool cannot fill in. */
import type { Catalog } from '../verifiers/index.ts'

function listNeeded(id: string, { enabled }: Catalog): readonly string[] {
  const verifier = enabled.get(id)
  const required: readonly string[] = verifier?.data.required ?? []
  const { filled = [], chosen = [] } = verifier?.guide ?? {}
  return [...new Set([...required.filter((name) => !filled.includes(name)), ...chosen])]
}

/**
 * One step for all of them, except that a link is made alone: its second wallet signs first. `more` names its wallet,
 * and the result.
 */
export function listCallSteps(verifierIds: readonly string[], tool: string, catalog: Catalog, more: string): string[] {
  const isAlone = (id: string): boolean => catalog.known.get(id)?.agreement !== undefined
  const calls = [verifierIds.filter((id) => !isAlone(id)), verifierIds.filter(isAlone)]
  return calls
    .filter((ids) => ids.length > 0)
    .map((ids) => {
      const members = ids.flatMap((id) =>
        listNeeded(id, catalog).map((name) => (ids.length === 1 ? `data.${name}` : `data["${id}"].${name}`)),
      )
      const withData = members.length === 0 ? '' : ` and with ${members.join(', ')}`
      return `Call ${tool} with verifierIds ${JSON.stringify(ids)}${withData}${more}.`
    })
}
