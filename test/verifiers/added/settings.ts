/** [riddle]: the answer that the added verifier asks for. */
import { describeTable, describeText } from '../../../src/config/setting.ts'
import type { VerifierTable } from '../../../src/verifiers/settings.ts'

export const riddleSettings = {
  name: 'riddle',
  schema: describeTable({
    right_answer: describeText({
      description: 'The answer to the riddle of this server.',
      consequence: 'Whoever gives another one gets no proof.',
      default: 'time',
      example: 'time',
      maxLength: 64,
    }),
  }),
} satisfies VerifierTable
