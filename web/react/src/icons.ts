// The named icons, each a constant: a bundle has those alone that it uses.

export * from "../../view/icon-drawings";
