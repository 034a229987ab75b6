/** Wer einen Nachweis sehen kann: überall mit denselben Wörtern. */
import type * as English from '../en/visibility.ts'

export const visibility: typeof English.visibility = {
  who: 'Wer darf ihn sehen?',
  private: {
    word: 'Privat',
    meaning: 'Nur sein Inhaber kann ihn lesen, und alle, mit denen er ihn teilt.',
  },
  unlisted: {
    word: 'Mit Link',
    meaning: 'Alle, die seinen Link oder seine Kennung haben, können ihn lesen. Er steht in keiner Liste.',
  },
  listed: { word: 'Öffentlich', meaning: 'Alle können ihn lesen. Er steht in der Liste seiner Wallet.' },
}

export const shareTimes: typeof English.shareTimes = {
  900: '15 Minuten',
  86400: '1 Tag',
  604800: '7 Tage',
  2592000: '30 Tage',
}
