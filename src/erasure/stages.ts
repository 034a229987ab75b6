/**
 * The stages of an erasure: each folder erases its own rows. Each slice is a bounded write of its own, so that other
 * writes go in between.
 */
import { type ErasureStage, joinStages } from '../db/erasing.ts'
import { erasureOfAppearances } from '../gates/appearance/store.ts'
import { erasureOfFulfillments, erasureOfPlaces } from '../gates/fulfill/erase-store.ts'
import { erasureOfPasses } from '../gates/guests/pass-store.ts'
import {
  erasureOfCheckouts,
  erasureOfQuotes,
  erasureOfSettlements,
  erasureOfUnmatched,
} from '../payments/erase-store.ts'
import { erasureOfLabels } from '../profiles/label-store.ts'
import { erasureOfFacts, erasureOfGrants, erasureOfLinks, erasureOfProofs } from '../proofs/erase-store.ts'
import { erasureOfShareLinks } from '../proofs/share-link-store.ts'

/** The order matters: a link is dissolved before its proof is deleted, and facts are deleted before their proofs. */
export const erasureStages: readonly ErasureStage[] = [
  erasureOfLinks,
  erasureOfShareLinks,
  erasureOfFacts,
  erasureOfProofs,
  erasureOfFulfillments,
  erasureOfPasses,
  erasureOfAppearances,
  erasureOfLabels,
  erasureOfUnmatched,
  joinStages(erasureOfPlaces, erasureOfSettlements),
  erasureOfCheckouts,
  erasureOfQuotes,
  erasureOfGrants,
]

/** The stage whose rows an answer counts. */
export const countedStage = erasureOfProofs
