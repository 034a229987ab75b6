/** Reports a change to the other tabs, so that none shows a revoked proof as active. */

import type { Privacy } from './row.ts'

export interface News {
  readonly revoked?: string
  /** The proof whose visibility was changed, with the new one. */
  readonly shown?: string
  readonly privacy?: Privacy
  readonly erased?: true
}

const name = 'proofgate-vault'
const channel = new BroadcastChannel(name)

export const tellOthers = (news: News): void => channel.postMessage(news)

/** Returns the unsubscribe function. */
export function watchNews(watcher: (news: News) => void): () => void {
  const noticeNews = ({ data }: MessageEvent<News>): void => watcher(data)
  channel.addEventListener('message', noticeNews)
  return () => channel.removeEventListener('message', noticeNews)
}
