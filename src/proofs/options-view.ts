/** The view of the owner's options and descriptions of a proof. */
import { Type } from '@sinclair/typebox'

const Privacy = Type.String({ description: 'private or public.' })

/** The requested options, with defaults filled in. */
export const OptionsView = Type.Object({
  privacyLevel: Privacy,
  publicDisplay: Type.Boolean(),
  storeOriginalContent: Type.Boolean(),
  enableIpfs: Type.Boolean(),
  publishToHub: Type.Boolean(),
  targetChains: Type.Array(Type.Integer()),
})

export const MetaView = Type.Object(
  {
    title: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    tags: Type.Optional(Type.Array(Type.String())),
    privacyLevel: Privacy,
    publiclyAccessible: Type.Boolean(),
  },
  { additionalProperties: true, description: 'What its owner says of it, and who sees it.' },
)
