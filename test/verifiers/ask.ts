/** Asks one verifier over HTTP, for the tables of all verifiers. */
import type { Answer, TestApp } from '../app.ts'
import type { TestWallet } from '../wallets.ts'

/** Each call is a request of its own: the clock moves by a millisecond. */
export const asking =
  (app: TestApp, verifierId: string) =>
  (wallet: TestWallet, data: object, more: object = {}): Promise<Answer> => {
    app.wait(1)
    return app.submit(wallet, { verifierIds: [verifierId], data, ...more })
  }

/** The evidence of the one row of an answer. */
export const evidenceIn = ({ body }: Answer) => body.data.verifiedVerifiers[0].data

/** The shape of "the claim is untrue". */
export const failed = (verifierId: string, reason: string) => ({
  status: 400,
  body: {
    success: false,
    error: { code: 'VERIFICATION_FAILED', details: { reason, verifiers: [{ verifierId, reason }] } },
  },
})

/** The shape of "the data must change". */
export const refused = (verifierId: string, path: string) => ({
  status: 400,
  body: { success: false, error: { code: 'INVALID_VERIFIER_DATA', details: { verifierId, path } } },
})
