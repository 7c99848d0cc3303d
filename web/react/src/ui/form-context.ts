import { createContext, useContext } from "react";

interface FormState {
  pending: boolean;
  submit(form: HTMLFormElement): void;
}

/** The form that a component is in. */
export const FormContext = /* @__PURE__ */ createContext<FormState | undefined>(undefined);

export const useForm = (): FormState | undefined => useContext(FormContext);
