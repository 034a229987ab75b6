/** The words of ai-content-moderation. */
import { describeJudges } from '../phrases.ts'
import type { VerifierWords } from '../words.ts'

export const words: VerifierWords = {
  title: 'Content check',
  lead: 'Have a text or a picture judged for harmful content.',
  summary: ['Content {~contentHash}'],
  fields: [
    {
      label: 'Asked and answered by',
      path: 'provider',
      op: 'eq',
      hint: 'Such as openai. Empty: whoever the operator of this server asks.',
    },
  ],
  requirement: (criteria) => `has content that was judged harmless${describeJudges(criteria)}`,
}
