/** Examples of the hand-over to a site. Codes are random: no test sends these, but each fits its schema. */
import { exampleSubjectId } from '../auth/sessions/examples.ts'
import { type ExampleSource, story } from '../http/example.ts'

const { address, did, time } = story
const siteCode = 'sc_Zm9yIGFwcC5leGFtcGxlLmNvbQ'.padEnd(46, 'A')

/** By operationId. */
export const handoverExamples = {
  agreeToSite: {
    request: { returnUrl: 'https://app.example.com/signed-in' },
    response: {
      success: true,
      data: { code: siteCode, origin: 'https://app.example.com', expiresAt: time + 60_000 },
    },
  },
  exchangeSiteCode: {
    request: { code: siteCode },
    response: {
      success: true,
      data: {
        walletAddress: address,
        chain: 'eip155:84532',
        did,
        subjectId: exampleSubjectId,
        origin: 'https://app.example.com',
        agreedAt: time,
        gate: null,
        proofs: [],
      },
    },
  },
} as const satisfies Readonly<Record<string, ExampleSource>>
