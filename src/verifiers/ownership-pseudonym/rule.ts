import { Type } from '@sinclair/typebox'
import { AppError } from '../../errors.ts'
import { sharedParameters } from '../check-parameter.ts'
import { describeText, keepPresent } from '../shapes.ts'
import { defineVerifier, holds } from '../verifier.ts'
import { readPseudonymSettings } from './term.ts'
import { words as german } from './words/de.ts'
import { words } from './words/en.ts'

const oneDayMs = 86_400_000

/**
 * `ownership-pseudonym`: the signer holds a handle in a namespace. A handle belongs to one wallet at a time. The store
 * reserves it together with the proof, so two wallets cannot both get it. Revoking the proof frees the handle. Only the
 * configured namespace is open: in any other one, a handle could pass for somebody else's name.
 */
export const ownershipPseudonym = defineVerifier({
  id: 'ownership-pseudonym',
  category: 'ownership',
  description: 'A wallet holds a handle, unique within its namespace.',
  words,
  translations: { de: german },
  flow: 'instant',
  expiry: 'permanent',
  findExpiry: (settings) => (readPseudonymSettings(settings).ttlDays > 0 ? 'expiring' : 'permanent'),
  status: 'pseudonym_claimed',
  allowsDelegatedSubject: false,
  compatibleWith: ['ownership-basic'],
  defaultValues: (settings) => ({ namespace: readPseudonymSettings(settings).namespace }),
  data: Type.Object({
    pseudonymId: Type.String({
      pattern: '^[a-z0-9][a-z0-9._-]{1,30}[a-z0-9]$',
      description: 'The handle: 3 to 32 characters a-z 0-9 . _ -, beginning and ending with a letter or digit.',
    }),
    namespace: Type.Optional(Type.String({ pattern: '^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$', maxLength: 64 })),
    displayName: Type.Optional(describeText(64)),
    metadata: Type.Optional(Type.Object({}, { description: 'Free form, at most 4096 bytes as JSON.' })),
  }),

  examine({ data }, { settings }) {
    const { namespace } = readPseudonymSettings(settings)
    if ((data.namespace ?? namespace) !== namespace)
      throw new AppError(
        'INVALID_VERIFIER_DATA',
        `handles are given out in the namespace "${namespace}" only (verifiers.pseudonym_namespace): leave data.namespace out`,
        { verifierId: 'ownership-pseudonym', path: '/namespace' },
      )
    if (Buffer.byteLength(JSON.stringify(data.metadata ?? {})) > 4096)
      throw new AppError('INVALID_VERIFIER_DATA', 'data.metadata is larger than 4096 bytes', {
        verifierId: 'ownership-pseudonym',
        path: '/metadata',
      })
    return undefined
  },

  verify({ subject, data }, { now, settings }) {
    const { namespace, ttlDays } = readPseudonymSettings(settings)
    const expiresAt = ttlDays > 0 ? now + ttlDays * oneDayMs : undefined
    return holds(
      keepPresent({
        owner: subject,
        pseudonymId: data.pseudonymId,
        handle: data.pseudonymId,
        namespace,
        displayName: data.displayName,
        metadata: data.metadata,
        expiresAt,
      }),
      {
        reserves: {
          name: `pseudonym:${namespace}/${data.pseudonymId}`,
          takenMessage: `the handle "${data.pseudonymId}" is held by another wallet: choose another one`,
          takenReason: 'NAME_TAKEN',
        },
        ...(expiresAt === undefined ? {} : { expiresAt }),
      },
    )
  },

  parameters: {
    handle: sharedParameters.handle,
    namespace: { kind: 'text', pattern: '^[a-z0-9._-]{1,64}$', description: 'Namespace of the pseudonym.' },
  },
  facts: ['handle'],

  writeScope: ({ namespace, pseudonymId }) => `${namespace}/${pseudonymId}`,
})
