/** A place is kept for a payment that was made and only has to wait for its chain. */
import type { Db } from '../../db/db.ts'
import { settledAfterMs } from '../../payments/finality.ts'
import { extendPlace, type Reservation } from './reservation-store.ts'

/** Longer than a chain's finality, so that a buyer who returns for a paid reward finds their place. */
const awaitedPlaceMs = 2 * settledAfterMs

/** Changes nothing where no place is held. */
export const keepAwaitedPlace = (
  db: Db,
  pair: Pick<Reservation, 'gate' | 'buyer' | 'qHash'> & { readonly now: number },
): Promise<number> => extendPlace(db, { ...pair, expiresAt: pair.now + awaitedPlaceMs })
