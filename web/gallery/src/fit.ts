// Drawings that are wider than their place.

/** The smallest scale in which words can still be read. */
const SMALLEST = 0.8;

/** How wide the drawing is laid out, and how much smaller it is shown. */
export function fitted(wanted: number, room: number, smallest = SMALLEST) {
  if (room <= 0 || wanted <= room) return { width: wanted, zoom: 1 };
  const width = Math.min(wanted, Math.floor(room / smallest));
  return { width, zoom: Math.round((room / width) * 1000) / 1000 };
}
