/** The owner changes and reads how the checkout of a gate looks: the seller's name, a color, and a picture. */
import { type Credentials, requireCaller } from '../../auth/caller.ts'
import { makeAction } from '../../auth/owner-action.ts'
import { spendSignature } from '../../db/spent-signature.ts'
import { AppError } from '../../errors.ts'
import { requireRoomToWrite } from '../../http/admit-writes.ts'
import type { Parts } from '../../parts.ts'
import { requirePlainLabel } from '../../plain-label.ts'
import { makeGateNotFound } from '../access.ts'
import type { Gate } from '../gate.ts'
import { requireGateOwnerTest, requireOwnGate } from '../manage/own-gate.ts'
import { digestMembers, makeUsedSignatureError } from '../manage/signed-change.ts'
import { themes, tuneColor } from './color.ts'
import { readPicture } from './picture.ts'
import { findAppearance, findPicture, mostPictures, type StoredPicture, writeAppearance } from './store.ts'

/** As it is sent: members that are left out stay, null removes them, and a picture is base64. */
export interface AppearanceTexts {
  readonly seller?: string | null | undefined
  readonly color?: string | null | undefined
  readonly picture?: string | null | undefined
}

/** What the owner signs: the members that are sent, by their digest. */
export const makeAppearanceAction = (gateId: string, { seller, color, picture }: AppearanceTexts) =>
  makeAction('set_gate_appearance', {
    gateId,
    digest: digestMembers({ seller, color, picture }),
  })

/** Errors: those of requireCaller and requireOwnGate, VALIDATION_ERROR, CONFLICT. */
export async function changeAppearance(
  parts: Parts,
  gateId: string,
  credentials: Credentials,
  texts: AppearanceTexts,
): Promise<object> {
  const caller = await requireCaller(credentials, () => [makeAppearanceAction(gateId, texts)], parts, {
    about: await requireGateOwnerTest(parts, gateId),
    needs: 'profile',
  })
  const gate = await requireOwnGate(parts, gateId, caller)
  const seller = texts.seller?.trim()
    ? requirePlainLabel(texts.seller, 'seller')
    : texts.seller === undefined
      ? undefined
      : null
  const color = texts.color?.toLowerCase() ?? texts.color
  const picture = texts.picture == null ? texts.picture : requirePicture(texts.picture)
  if (seller === undefined && color === undefined && picture === undefined)
    throw new AppError('VALIDATION_ERROR', 'give seller, color or picture: null removes one of them')
  requireRoomToWrite(parts)
  const change = { seller, color, picture }
  const outcome = await writeAppearance(parts.db, gate, change, parts.now(), spendSignature(caller.signed))
  if (outcome === 'first') throw makeUsedSignatureError()
  if (outcome === 'gone') throw makeGateNotFound()
  if (outcome === 'too many')
    throw new AppError(
      'VALIDATION_ERROR',
      `gates of one owner have at most ${mostPictures} pictures: remove one from another gate first`,
      { path: '/picture', limit: mostPictures },
    )
  return showAppearance(parts, gate)
}

/** Errors: VALIDATION_ERROR. */
function requirePicture(text: string): StoredPicture {
  const bytes = Buffer.from(text, 'base64')
  // Buffer skips what is no base64, and a picture of other bytes than the sent ones would be stored.
  if (bytes.toString('base64') !== text) throw makePictureError('is not in base64 (RFC 4648, section 4)')
  const shape = readPicture(bytes)
  if ('fault' in shape) throw makePictureError(shape.fault)
  return { ...shape, bytes: bytes.length, digest: Bun.SHA256.hash(bytes, 'hex'), picture: text }
}

const makePictureError = (fault: string): AppError =>
  new AppError('VALIDATION_ERROR', `the picture ${fault}`, { path: '/picture' })

/** Everything of it, for its owner. */
export async function showAppearance({ db }: Pick<Parts, 'db'>, gate: Pick<Gate, 'id' | 'gateId'>) {
  const row = await findAppearance(db, gate.id)
  const { seller = null, color = null, mediaType, width, height, bytes, digest } = row ?? {}
  const stored = digest == null ? undefined : await findPicture(db, gate.id, digest)
  return {
    gateId: gate.gateId,
    seller,
    color,
    shownColors:
      color === null ? null : Object.fromEntries(themes.map((theme) => [theme, tuneColor(color, theme).accent])),
    picture: stored ? { digest, mediaType, width, height, bytes, data: stored.picture } : null,
  }
}
