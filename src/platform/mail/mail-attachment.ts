/** A file that goes along; `content` is base64. */
export interface MailAttachment {
  filename: string;
  content_type: string;
  content: string;
}

/** A file in the store that goes along, as it is when the mail leaves; one that is gone by then is left out. */
export interface StoredMailFile {
  filename: string;
  content_type: string;
  stored: string;
}
