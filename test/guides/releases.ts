/** A publisher in the place of downloads.example.com, and an executable that a newer release replaces. */
import { copyFileSync, linkSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readTarget } from '../../src/release/target.ts'
import { buildNext, findCurrent, next } from '../parts/build-copy.ts'
import { describeRelease, startPublisher } from '../release/publisher.ts'
import type { Page } from './page.ts'

export const needsReleases = ({ text }: Page): boolean => text.includes('downloads.example.com')

export function startReleases() {
  const publisher = startPublisher()
  const target = readTarget()
  const files = { [target]: publisher.publishFile(next.version, target, readFileSync(buildNext())) }
  const notes = publisher.url.replace('releases.json', 'notes.html')
  publisher.publish([describeRelease(next.version, { files, notes })], {
    date: `${new Date().toISOString().slice(0, 19)}Z`,
  })
  publisher.publishFile('0.2.0', 'linux-x64', Buffer.from('an executable'))
  return {
    /** A text of the guide with the address and the key of this publisher. */
    here: (text: string): string =>
      text
        .replaceAll('https://downloads.example.com/proofgate/', publisher.url.replace('releases.json', ''))
        .replaceAll('RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3', publisher.publicKey),
    /** The executable that readers have in their folder. */
    install(folder: string): void {
      const file = join(folder, 'proofgate')
      try {
        linkSync(findCurrent(), file)
      } catch {
        // Another disk.
        copyFileSync(findCurrent(), file)
      }
    },
    stop: () => publisher[Symbol.asyncDispose](),
  }
}
