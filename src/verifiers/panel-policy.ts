/** The settings of several judges: how many must answer, and who they are. */
import { type Contradiction, describeChoice } from '../config/setting.ts'
import { panelPolicies } from '../outside/panel.ts'

export const describePanelPolicy = (what: string, verdict: string) =>
  describeChoice(panelPolicies, {
    description: `How many must answer about ${what}. all: each that can judge it. any: all are asked, and one answer is enough. fallback: the next is asked only when the one before could not be asked.`,
    consequence: `One that finds it ${verdict} is enough to refuse, whatever the others say. With any and fallback an outage leaves the judgment to fewer; the proof says to whom.`,
    default: 'all',
    example: 'any',
  })

/** `pairs`: the list of judges, and the earlier setting that names one. */
export const makeJudgesCheck =
  (section: string, pairs: readonly (readonly [many: string, one: string])[]) =>
  (table: Readonly<Record<string, unknown>>): Contradiction[] =>
    pairs
      .filter(([many, one]) => table[many] !== undefined && table[one] !== undefined)
      .map(([many, one]) => ({
        path: [one],
        problem: `${section}.${many} says who judges already: leave ${one} out, and name the provider there`,
      }))
