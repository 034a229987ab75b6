/** What was changed here is told to the other tabs, so that none shows as standing what is revoked. */

export interface News {
  readonly revoked?: string
  readonly erased?: true
}

const name = 'proofgate-vault'
const channel = new BroadcastChannel(name)

export const tellOthers = (news: News): void => channel.postMessage(news)

/** Returns how to stop. */
export function watchNews(watcher: (news: News) => void): () => void {
  const listener = ({ data }: MessageEvent<News>): void => watcher(data)
  channel.addEventListener('message', listener)
  return () => channel.removeEventListener('message', listener)
}
