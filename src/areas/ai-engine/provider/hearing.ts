import type { Listener } from '../streaming/listener';
import type { Hearing } from './chat-exchange';

/** Passes on what is new of an answer. @param isGiven whether one that is so sure is going to be given */
export function hearingOf(listener: Listener, isGiven: (confidence: number) => boolean = () => true): Hearing {
  let told = '';
  return {
    hear({ confidence, text }) {
      if (!isGiven(confidence) || !text.startsWith(told)) return;
      if (text.length > told.length) listener.hear(text.slice(told.length));
      told = text;
    },
    forget() {
      if (told !== '') listener.forget();
      told = '';
    },
  };
}
