/** Reports a change to the other tabs, so that none shows a revoked proof as active. */

export interface News {
  readonly revoked?: string
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
