/** How the checkout of a gate looks: …/appearance for its owner, and the picture for everybody who may see the gate. */
import { Type } from '@sinclair/typebox'
import { requireOffered } from '../../auth/caller.ts'
import { showAction } from '../../auth/owner-action.ts'
import { signedMembers } from '../../auth/signed-body.ts'
import { AppError } from '../../errors.ts'
import { describeAnswer, IsoTimestamp } from '../../http/describe.ts'
import { type Route, route } from '../../http/route.ts'
import { immutable } from '../../http/served.ts'
import type { Parts } from '../../parts.ts'
import { OwnerHeaders } from '../../proofs/wire.ts'
import { defineChoice, open } from '../../shape.ts'
import { findVisibleGate } from '../access.ts'
import { GateId } from '../gate.ts'
import { requireOwnerOffer, requireOwnGate, requireReader } from '../manage/own-gate.ts'
import { nameGateOwner } from '../owner.ts'
import { findGate } from '../store.ts'
import { GateParams } from '../wire.ts'
import { changeAppearance, makeAppearanceAction, showAppearance } from './change-appearance.ts'
import { colorPattern } from './color.ts'
import { appearanceExamples } from './examples.ts'
import { mostPictureBytes, pictureSides, pictureTypes } from './picture.ts'
import { findPicture, mostPictures } from './store.ts'

const tag = 'gates'
const cacheControl = 'private, no-store'

const makeNullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])

const AppearanceBody = open({
  seller: Type.Optional(
    makeNullable(Type.String({ maxLength: 80, description: 'The name of the seller. Nobody checks it.' })),
  ),
  color: Type.Optional(
    makeNullable(Type.String({ pattern: colorPattern, description: 'A color as # and six hexadecimal digits' })),
  ),
  picture: Type.Optional(
    makeNullable(
      Type.String({
        maxLength: Math.ceil(mostPictureBytes / 3) * 4,
        description: `Base64 of a PNG, JPEG or WebP with at most ${mostPictureBytes} bytes, and sides of ${pictureSides.least} to ${pictureSides.most} pixels.`,
      }),
    ),
  ),
  ...signedMembers,
})

const Color = Type.String({ description: '# and six hexadecimal digits.' })

const appearanceAnswer = describeAnswer({
  data: Type.Object({
    gateId: Type.String(),
    seller: makeNullable(Type.String()),
    color: makeNullable(Color),
    shownColors: makeNullable(
      Type.Object(
        { light: Color, dark: Color },
        { description: 'The color in each theme: darker or lighter where text would be hard to read (4.5 to 1).' },
      ),
    ),
    picture: makeNullable(
      Type.Object({
        digest: Type.String({ description: 'SHA-256 of the picture, in hexadecimal digits.' }),
        mediaType: defineChoice(pictureTypes),
        width: Type.Integer(),
        height: Type.Integer(),
        bytes: Type.Integer(),
        data: Type.String({ description: 'Base64.' }),
      }),
    ),
  }),
  timestamp: IsoTimestamp,
})

/** A picture runs nothing, and is shown by the pages of this server alone. */
const pictureHeaders = {
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
}

export function appearanceRoutes(parts: Parts): readonly Route[] {
  const formatNow = (): string => new Date(parts.now()).toISOString()

  /** Whether the visitor may see a gate that strangers do not: its owner, signed in. */
  const isOwner = async (request: Request, owner: string): Promise<boolean> => {
    const identity = await parts.identify(request)
    return identity !== undefined && (await identity.listAccounts()).some((account) => nameGateOwner(account) === owner)
  }

  return [
    route(
      {
        method: 'GET',
        path: '/api/v1/profile/gates/:gateId/appearance',
        callers: ['signature', 'session', 'access-key'],
        surface: 'gates',
        params: GateParams,
        headers: OwnerHeaders,
        rate: 'reads',
        needs: 'profile',
        cacheControl,
        operation: {
          tag,
          operationId: 'getGateAppearance',
          summary: 'How the checkout of a gate looks',
          description: `The seller’s name, the color and the picture, for the owner of the gate. Signed over ${showAction('list_gates')}.`,
          answer: appearanceAnswer,
          refusals: [400, 401, 403, 404],
          example: appearanceExamples.getGateAppearance,
        },
      },
      async ({ params, request }) => {
        const reader = await requireReader(parts, await requireOwnerOffer(parts, request), params.gateId)
        const gate = await requireOwnGate(parts, params.gateId, reader)
        return { success: true, data: await showAppearance(parts, gate), timestamp: formatNow() }
      },
    ),
    route(
      {
        method: 'POST',
        path: '/api/v1/profile/gates/:gateId/appearance',
        callers: ['signature', 'session', 'access-key'],
        surface: 'gates',
        params: GateParams,
        body: AppearanceBody,
        rate: 'owner',
        cacheControl,
        operation: {
          tag,
          operationId: 'setGateAppearance',
          summary: 'Change how the checkout of a gate looks',
          description: `Members that are left out stay, and null removes one. A color that is hard to read is shown darker or lighter: shownColors says how. An owner has at most ${mostPictures} pictures. Signed over ${showAction('set_gate_appearance')}: digest is 0x and the SHA-256 of the canonical JSON of seller, color and picture, as far as they are sent.`,
          answer: appearanceAnswer,
          refusals: [400, 401, 403, 404, 409, 413, 415, 503],
          example: appearanceExamples.setGateAppearance,
        },
      },
      async ({ params, body, request }) => {
        const { seller, color, picture } = body
        const texts = { seller, color, picture }
        const credentials = await requireOffered(body, parts, request, makeAppearanceAction(params.gateId, texts))
        const data = await changeAppearance(parts, params.gateId, credentials, texts)
        return { success: true, data, timestamp: formatNow() }
      },
    ),
    route(
      {
        method: 'GET',
        path: '/g/:gateId/picture/:digest',
        callers: ['anyone', 'session'],
        surface: 'gates',
        params: open({ gateId: GateId, digest: Type.String({ pattern: '^[0-9a-f]{64}$' }) }),
        rate: 'reads',
        readers: 'own pages',
        operation: 'unlisted',
      },
      async ({ params, request, set }) => {
        const gate = await findGate(parts, params.gateId)
        const isPublic = findVisibleGate(gate) !== undefined
        const isShown = gate && gate.status !== 'deleted' && (isPublic || (await isOwner(request, gate.owner)))
        const found = isShown ? await findPicture(parts.db, gate.id, params.digest) : undefined
        if (!found?.picture || !found.mediaType) throw new AppError('NOT_FOUND', 'there is no such picture')
        Object.assign(set.headers, pictureHeaders, {
          'content-type': found.mediaType,
          // A draft may become private or be deleted, and must not stay in a shared cache.
          'cache-control': isPublic ? immutable : cacheControl,
        })
        return new Response(Buffer.from(found.picture, 'base64'))
      },
    ),
  ]
}
