/** How many of several judges must answer: the same words for wallets and for content. */
import { describeChoice } from '../setting.ts'

export const describePanelPolicy = (what: string, verdict: string) =>
  describeChoice(['all', 'any', 'fallback'], {
    description: `How many must answer about ${what}. all: each that can judge it. any: all are asked, and one answer is enough. fallback: the next is asked only when the one before could not be asked.`,
    consequence: `One that finds it ${verdict} is enough to refuse, whatever the others say. With any and fallback an outage leaves the judgement to fewer; the proof says to whom.`,
    default: 'all',
    example: 'any',
  })
