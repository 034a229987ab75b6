/** Makes the code for a site. A person who is not signed in with the wallet of the proofs signs in with it first. */
import type { BrowserSession } from '../verify-model.ts'
import { result as words } from '../words/en/verify.ts'
import type { Attempts } from './attempt.ts'
import { AuthApi } from './auth-api.ts'
import { isSessionOver } from './json-api.ts'
import { findSignedIn, isSameAddress, type Person } from './person.ts'
import { signInHere } from './sign-in-here.ts'
import type { WalletDesk } from './wallet-desk.ts'
import { renderExplanation } from './wallet-error.ts'
import { explainError } from './words.ts'

/** Members of the page. */
interface Tools {
  readonly apiRoot: string
  readonly attempts: Attempts
  readonly wallets: WalletDesk
  /** The people whose wallets are connected. */
  readonly people: Person[]
  session: BrowserSession | undefined
}

export interface Telling {
  /** The wallet of the proofs. */
  readonly wallet: string
  /** The body of POST /api/v1/auth/code. */
  readonly asked: object
  readonly pressed: HTMLElement
  readonly told: (code: string) => void
  /** No code was made: a different person may be signed in now. */
  readonly failed: () => void
}

export class Teller {
  constructor(private readonly tools: Tools) {}

  isSignedIn(wallet: string): boolean {
    const { session } = this.tools
    return session !== undefined && findSignedIn(session, wallet) !== undefined
  }

  /** The primary wallet of the signed-in person. */
  get signedInAs(): string | undefined {
    return this.tools.session?.accounts[0]?.wallet
  }

  /** Called only after the person presses the button. */
  tell(telling: Telling): void {
    const { attempts, people, wallets } = this.tools
    const { wallet } = telling
    const person = people.find((one) => one.wallet && isSameAddress(one.address, wallet))
    if (person || this.isSignedIn(wallet)) {
      const isCurrent = attempts.begin()
      if (isCurrent) void this.finish(telling, person, isCurrent)
      return
    }
    if (attempts.isUnderWay) return
    wallets.ask({
      heading: words.signInWithProofWallet,
      address: wallet,
      chosen: (found, isCurrent) => {
        people.unshift(found)
        return this.finish(telling, found, isCurrent)
      },
    })
    document.getElementById('wallets-heading')?.focus()
  }

  /** Ends without a code: work in progress has no further effect. */
  stop(): void {
    this.tools.attempts.finish()
    this.tools.wallets.hide()
  }

  private async finish(telling: Telling, person: Person | undefined, isCurrent: () => boolean): Promise<void> {
    const { apiRoot, attempts, wallets } = this.tools
    const { wallet, asked, pressed, told, failed } = telling
    try {
      if (!this.isSignedIn(wallet)) {
        const session = await signInHere({ apiRoot, attempts, pressed }, person!, isCurrent)
        if (!session) return
        this.tools.session = session
      }
      attempts.say(words.askingForCode)
      const code = await new AuthApi(`${apiRoot}auth/`).requestCode(asked, this.tools.session!.csrf)
      if (!isCurrent()) return
      this.stop()
      told(code)
    } catch (error) {
      const isOver = isSessionOver(error)
      if (isOver) this.tools.session = undefined
      if (!isCurrent()) return
      if (this.isSignedIn(wallet)) wallets.hide()
      failed()
      attempts.fail(isOver ? words.sessionOver : renderExplanation(explainError(error, person?.wallet?.name)), pressed)
    }
  }
}
