/** What leaving the page takes away: by the end of a session that its person wanted, and by a switch of the language. */
import { dashboard as words } from '../../words/en/dashboard.ts'
import { forgetForms } from '../person-here.ts'
import { tellSignedOut } from '../sign-outs.ts'
import { forgetSecrets, listSecretDrafts } from './gates/drafts.ts'
import { root } from './model.ts'

/**
 * Others may use this browser next. Does nothing where the person rather stays. `tell` says first what the person must
 * know. Errors: those of the change.
 */
export async function leaveAfter<Done>(
  change: () => Promise<Done>,
  tell?: (done: Done) => Promise<void> | undefined,
): Promise<void> {
  const secret = listSecretDrafts()
  if (secret.length > 0 && !confirm(words.leaveDrafts)) return
  const done = await change()
  for (const draft of secret) forgetSecrets(draft)
  forgetForms()
  tellSignedOut()
  await tell?.(done)
  location.assign(root.href)
}

type Box = HTMLInputElement | HTMLTextAreaElement

/** The text of each box when the person first came to it. */
const firstTexts = new WeakMap<Box, string>()

addEventListener('focusin', ({ target }) => {
  const isBox = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
  if (isBox && !firstTexts.has(target)) firstTexts.set(target, target.value)
})

/** Drafts of gates and the address of the page keep what was typed there. */
const isKept = (box: Box): boolean =>
  box.closest('[data-kept], [data-dropped]')?.hasAttribute('data-kept') === true ||
  [...new URLSearchParams(location.search).values()].includes(box.value)

/**
 * Whether a form has text that nothing keeps. It may be a secret, so it is not stored: the person is asked instead.
 */
export const hasTypedText = (): boolean =>
  [...document.querySelectorAll<Box>('input, textarea')].some(
    (box) => firstTexts.has(box) && box.value !== '' && box.value !== firstTexts.get(box) && !isKept(box),
  )
