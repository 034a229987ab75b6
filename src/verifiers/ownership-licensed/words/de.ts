/** Die deutschen Wörter von ownership-licensed. */
import type { PageWords } from '../../words.ts'

export const words: PageWords = {
  title: 'Lizenzierter Inhalt',
  lead: 'Beanspruchen Sie einen Inhalt unter einer Lizenz, die ein NFT ist.',
  statement: ['beansprucht lizenzierten Inhalt'],
}
