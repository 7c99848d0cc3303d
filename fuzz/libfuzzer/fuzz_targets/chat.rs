#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| widgetcast_fuzz::chat(data));
