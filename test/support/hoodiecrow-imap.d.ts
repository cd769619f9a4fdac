declare module 'hoodiecrow-imap' {
  import type { AddressInfo } from 'node:net';

  interface ImapMessage {
    raw: string;
    uid: number;
    flags: string[];
  }

  interface ImapFolder {
    messages: ImapMessage[];
    uidnext: number;
    uidvalidity: number;
  }

  interface ImapTestServer {
    listen(port: number, host: string, done: () => void): void;
    close(done: () => void): void;
    server: { address(): AddressInfo };
    folderCache: Record<string, ImapFolder>;
    getMailbox(path: string): ImapFolder;
    appendMessage(folder: string | ImapFolder, flags: string[], date: null, raw: string): void;
  }

  function hoodiecrow(options: {
    plugins?: string[];
    users: Record<string, { password: string }>;
    storage: Record<string, { messages: { raw: string; uid?: number }[] }>;
  }): ImapTestServer;

  export = hoodiecrow;
}
