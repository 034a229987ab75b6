/** Feeds a tar file to a reader of tar-stream no faster than its members are read. */
import type { Extract } from 'tar-stream'

/** Ends early where the reader was closed. Errors: those of the source. */
export async function feedTar(tar: Extract, source: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of source) {
    if (tar.destroyed) return
    if (!tar.write(chunk)) await waitForRoom(tar)
  }
  tar.end(() => {})
}

/** Until it takes more, or is closed. */
const waitForRoom = (tar: Extract): Promise<void> =>
  new Promise((resolve) => {
    const goOn = (): void => {
      tar.off('drain', goOn)
      tar.off('close', goOn)
      resolve()
    }
    tar.on('drain', goOn)
    tar.on('close', goOn)
  })
