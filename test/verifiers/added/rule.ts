import { Type } from '@sinclair/typebox'
import { sharedParameters } from '../../../src/verifiers/check-parameter.ts'
import { describeText } from '../../../src/verifiers/shapes.ts'
import { defineVerifier, fails, holds } from '../../../src/verifiers/verifier.ts'
import { readVerifierTable } from '../../../src/verifiers/verifier-table.ts'
import { riddleSettings } from './settings.ts'
import { words } from './words.ts'

/** `riddle-solved`: the signer knows the answer that the operator has set. */
export const riddleSolved = defineVerifier({
  id: 'riddle-solved',
  category: 'identity',
  description: 'The signer knows the answer to a riddle.',
  words,
  flow: 'instant',
  expiry: 'permanent',
  status: 'riddle_solved',
  allowsDelegatedSubject: false,
  compatibleWith: [],
  data: Type.Object({ handle: describeText(64), answer: describeText(64) }),

  verify: ({ data: { handle, answer } }, { settings }) =>
    answer === readVerifierTable(settings, riddleSettings).rightAnswer
      ? holds({ handle })
      : fails('WRONG_ANSWER', 'data.answer is not the answer to the riddle: think again'),

  parameters: {
    handle: sharedParameters.handle,
    riddleSolver: { kind: 'text', member: 'handle', description: 'Of riddle-solved: the name of the solver.' },
  },
  facts: ['handle'],
  writeScope: ({ handle }) => String(handle),
})
