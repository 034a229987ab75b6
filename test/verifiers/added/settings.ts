/** [riddle]: the answer that the added verifier asks for. */
import { describeTable, describeText } from '../../../src/config/setting.ts'
import { defineVerifierTable } from '../../../src/verifiers/verifier-table.ts'

export const riddleSettings = defineVerifierTable({
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
})
