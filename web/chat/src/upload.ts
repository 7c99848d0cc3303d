// Files on their way to the server.

import type { Attachment } from "./protocol";
import { ownPath, type Wire, WireError } from "./wire";

export interface Upload {
  key: number;
  name: string;
  /** Why it failed; undefined while it is under way. */
  fault?: string;
}

export interface FileWords {
  tooLarge(name: string, size: string): string;
  badType(name: string): string;
  failed(name: string): string;
}

/** `3.4 MB`, in the reader's digits. */
export function sizeText(bytes: number, locale: string): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  const at = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: units[at] as string,
    unitDisplay: "short",
    maximumFractionDigits: 1,
  }).format(bytes / 1000 ** at);
}

/** Uploads a file from the page of that address. */
export async function uploadFile(wire: Wire, file: File, page: string): Promise<Attachment> {
  const mime_type = file.type || "application/octet-stream";
  const made = await wire.ask("attachments.create", {
    name: file.name,
    size: file.size,
    mime_type,
  });
  const { upload_descriptor, ...attachment } = made;
  if (!upload_descriptor) return attachment;
  try {
    const url = ownPath(upload_descriptor.url, page);
    await wire.upload({ ...upload_descriptor, url }, file);
  } catch (error) {
    wire.ask("attachments.delete", { attachment_id: attachment.id }).catch(() => {});
    throw error;
  }
  return attachment;
}

/** Why a file was not taken: the server's words, or ours for what its status means. */
export function uploadFault(error: unknown, file: File, locale: string, words: FileWords): string {
  const { status, message } = error instanceof WireError ? error : { status: 0, message: "" };
  if (message) return `${file.name}: ${message}`;
  if (status === 413) return words.tooLarge(file.name, sizeText(file.size, locale));
  return status === 415 ? words.badType(file.name) : words.failed(file.name);
}
