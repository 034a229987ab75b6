/** A linked wallet has access while it is linked; it may not do anything that would outlive the link. */
import { session } from '../model.ts'
import { Address } from '../parts.tsx'

export const LinkedNote = ({ may }: { readonly may: string }) => (
  <p class="notice">
    You are signed in with a linked wallet, which may not {may}. Sign in with{' '}
    <Address value={session.accounts[0]!.wallet} /> for that.
  </p>
)
